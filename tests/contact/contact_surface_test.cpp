// SPDX-License-Identifier: Apache-2.0
#include "toile/contact/contact_surface.h"

#include "toile/core/error.h"

#include <gtest/gtest.h>

#include <limits>

namespace toile {
namespace {

const std::vector<Triangle> kSquare{{0, 1, 2}, {0, 2, 3}};
const std::vector<double> kFourMasses{1, 2, 3, 0};

ContactBodyInput square(const std::string& name) {
    return {.name = name,
            .n_vertices = 4,
            .triangles = kSquare,
            .thickness = 1e-3,
            .inverse_masses = kFourMasses};
}

TEST(ContactSurface, PutsBodiesAfterEachOtherAndGivesEveryElementOneOwner) {
    ContactBodyInput obstacle = square("table");
    obstacle.prescribed = true;
    const std::vector<ContactBodyInput> bodies{square("cloth"), obstacle};
    const std::vector<double> friction{0.1, 0.2, 0.2, 0.3};
    const ContactSurface surface = make_contact_surface(bodies, friction);

    EXPECT_EQ(surface.n_vertices(), 8);
    EXPECT_EQ(surface.triangles.size(), 4u);
    EXPECT_EQ(surface.triangles[2], (Triangle{4, 5, 6}));
    EXPECT_EQ(surface.edges.size(), 10u);
    EXPECT_TRUE(std::is_sorted(surface.edges.begin(), surface.edges.end()));
    for (size_t e = 0; e < surface.edges.size(); ++e) {
        EXPECT_EQ(surface.body_of_edge[e], surface.edges[e][0] < 4 ? 0 : 1);
    }
    EXPECT_EQ(surface.n_triangles_of_edge[surface.find_edge(2, 0)], 2);
    EXPECT_EQ(surface.n_triangles_of_edge[surface.find_edge(4, 5)], 1);
    EXPECT_EQ(surface.find_edge(1, 3), -1);
    EXPECT_EQ(surface.n_triangles_of_vertex, (std::vector<int>{2, 1, 2, 1, 2, 1, 2, 1}));
    EXPECT_EQ(surface.inverse_masses, (std::vector<double>{1, 2, 3, 0, 0, 0, 0, 0}));
    EXPECT_EQ(surface.pair_friction(1, 6), 0.2);
}

TEST(ContactSurface, KeepsIsolatedVertices) {
    const std::vector<double> masses{1, 1, 1};
    const std::vector<ContactBodyInput> bodies{
        {.name = "dust", .n_vertices = 3, .inverse_masses = masses}};
    const ContactSurface surface = make_contact_surface(bodies, std::vector<double>{0});
    EXPECT_EQ(surface.n_vertices(), 3);
    EXPECT_TRUE(surface.edges.empty());
}

TEST(ContactSurface, OfNothingIsEmpty) {
    const ContactSurface surface = make_contact_surface({}, {});
    EXPECT_EQ(surface.n_vertices(), 0);
    EXPECT_EQ(surface.n_bodies(), 0);
}

TEST(ContactSurface, PairThicknessIsTheMeanOfBoth) {
    ContactBodyInput obstacle = square("mannequin");
    obstacle.prescribed = true;
    obstacle.thickness = 0;
    const std::vector<ContactBodyInput> bodies{square("scarf"), obstacle};
    const ContactSurface surface = make_contact_surface(bodies, std::vector<double>(4, 0.0));
    EXPECT_EQ(surface.pair_thickness(0, 5), 0.5e-3);
    EXPECT_EQ(surface.pair_thickness(0, 1), 1e-3);
}

std::string refusal(const std::vector<ContactBodyInput>& bodies,
                    const std::vector<double>& friction) {
    try {
        static_cast<void>(make_contact_surface(bodies, friction));
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

TEST(ContactSurface, RefusesWhatIsWrongByName) {
    const std::vector<double> none{0};
    ContactBodyInput bad = square("cloth");
    bad.n_vertices = 3;
    EXPECT_NE(refusal({bad}, none).find("vertex 3"), std::string::npos);
    bad = square("cloth");
    bad.thickness = -1;
    EXPECT_NE(refusal({bad}, none).find("thickness"), std::string::npos);
    bad = square("cloth");
    bad.thickness = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal({bad}, none).find("thickness"), std::string::npos);
    const std::vector<double> negative{1, 1, -1, 1};
    bad = square("cloth");
    bad.inverse_masses = negative;
    EXPECT_NE(refusal({bad}, none).find("Vertex 2 of body 'cloth'"), std::string::npos);
    bad.inverse_masses = std::span(kFourMasses).first(3);
    EXPECT_NE(refusal({bad}, none).find("3 inverse masses"), std::string::npos);
    EXPECT_NE(refusal({square("cloth")}, {}).find("friction"), std::string::npos);
    EXPECT_NE(refusal({square("a"), square("b")}, {0, 1, 2, 0}).find("'a' on 'b'"),
              std::string::npos);
}

}  // namespace
}  // namespace toile
