// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "toile/mesh/triangle_mesh.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace toile {

/// What a parameter of a shape takes.
enum class ParameterKind {
    Number,   ///< a finite number
    Count,    ///< a whole number
    Numbers,  ///< as many finite numbers as the default has
    Counts,   ///< as many whole numbers as the default has; one number stands for all
    Choice,   ///< one of `choices`
};

/// A parameter's value: a number, several, or a word.
using ShapeValue = std::variant<double, std::vector<double>, std::string>;

struct ShapeParameter {
    std::string name;
    ParameterKind kind;
    ShapeValue default_value;
    std::string unit;  ///< `m`, `degrees`, or empty
    std::string doc;   ///< a phrase without a full stop
    std::vector<std::string> choices;
};

struct ShapeDescription {
    std::string name;
    std::string doc;  ///< a phrase without a full stop
    std::vector<ShapeParameter> parameters;
};

using ShapeParameters = std::map<std::string, ShapeValue>;

/// Every shape that make_shape knows, in the order of the documentation. The one table from which
/// the parser, the help and the documents are made.
const std::vector<ShapeDescription>& shape_catalogue();

/// Throws InvalidInput with the nearest name for a shape that is not there.
const ShapeDescription& find_shape(const std::string& name);

/// Throws InvalidInput with the nearest name for a parameter that the shape does not have.
const ShapeParameter& find_parameter(const ShapeDescription& shape, const std::string& name);

/// The value in words of the command line: `0.5`, `15x15`, `0,1.2,0` or a choice. Throws
/// InvalidInput where the text is not of the parameter's kind.
ShapeValue parse_shape_value(const ShapeParameter& parameter, const std::string& text);

/// The text that parse_shape_value reads back.
std::string shape_value_text(const ShapeParameter& parameter, const ShapeValue& value);

/// Makes a shape; parameters that are not given have their defaults. Throws InvalidInput, naming
/// the shape, for unknown names and for values of a wrong kind or range.
TriangleMesh make_shape(const std::string& name, const ShapeParameters& parameters);

}  // namespace toile
