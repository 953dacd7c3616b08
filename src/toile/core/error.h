// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace toile {

/// What every Toile function throws. `what()` is a whole sentence for a person.
class Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A caller's mistake or a file whose content is wrong (exit code 3 of the program).
class InvalidInput : public Error {
  public:
    using Error::Error;
};

/// The file system said no: missing, unreadable, full, already there (exit code 4).
class IoError : public Error {
  public:
    using Error::Error;
};

/// The computation could not finish with a result that holds its promises (exit code 1).
class ComputationFailed : public Error {
  public:
    using Error::Error;
};

/// This build, or this machine, lacks an optional part (exit code 5).
class MissingFeature : public Error {
  public:
    using Error::Error;
};

/// The user asked to stop, and everything finished so far is on disk (exit code 130).
class Interrupted : public Error {
  public:
    using Error::Error;
};

}  // namespace toile
