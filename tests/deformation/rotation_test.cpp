// SPDX-License-Identifier: Apache-2.0
#include "toile/deformation/rotation.h"

#include "toile/mesh/transform.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace toile {
namespace {

class RandomMatrices {
  public:
    Mat3 next() {
        Mat3 m;
        for (double& value : m.reshaped()) value = entry_(random_);
        return m;
    }
    Mat3 rotation() { return rotation_about_axis(next().col(0), 3 * entry_(random_)); }

  private:
    std::mt19937 random_{3};
    std::uniform_real_distribution<double> entry_{-1, 1};
};

void expect_rotation(const Mat3& r) {
    EXPECT_LT((r.transpose() * r - Mat3::Identity()).norm(), 1e-13);
    EXPECT_GT(r.determinant(), 0);
}

Mat3 by_svd(const Mat3& f) {
    const Eigen::JacobiSVD<Mat3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 sign = Mat3::Identity();
    sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    return svd.matrixU() * sign * svd.matrixV().transpose();
}

TEST(NearestRotation, AgreesWithTheSingularValuesOfRandomMatrices) {
    RandomMatrices random;
    for (int i = 0; i < 2000; ++i) {
        const Mat3 f = random.next();
        const Mat3 r = nearest_rotation(f);
        expect_rotation(r);
        // The distance is least; near ties two rotations are equally good.
        EXPECT_NEAR((f - r).norm(), (f - by_svd(f)).norm(), 1e-12);
    }
}

TEST(NearestRotation, FindsTheRotationOfAStretchAtAnyScale) {
    RandomMatrices random;
    for (const double scale : {1e-300, 1e-3, 1.0, 1e3, 1e300}) {
        for (const double thin : {1.0, 1e-2, 1e-5, 1e-9}) {
            const Mat3 r = random.rotation(), q = random.rotation();
            const Mat3 stretch = q * Vec3(1, 0.5, thin).asDiagonal() * q.transpose();
            EXPECT_LT((nearest_rotation(scale * r * stretch) - r).norm(), 1e-12) << thin;
        }
    }
}

TEST(NearestRotation, TakesFlatMatricesAndMirrors) {
    const Mat3 r = rotation_about_axis(Vec3(1, 2, 3), 2);
    const Mat3 flat = Vec3(2, 1, 0).asDiagonal();
    EXPECT_LT((nearest_rotation(r * flat) - r).norm(), 1e-13);
    const Mat3 mirror = Vec3(3, 2, -1).asDiagonal();  // the least stretch changes its sign
    EXPECT_LT((nearest_rotation(r * mirror) - r).norm(), 1e-13);
}

TEST(NearestRotation, IsAlwaysTheSameRotationWhereTheAnswerIsNotUnique) {
    EXPECT_EQ(nearest_rotation(Mat3::Zero()), Mat3::Identity());
    const Mat3 line = Vec3(1, 2, 3) * Vec3(-1, 0, 1).transpose();
    for (const Mat3& f : {line, Mat3(-Mat3::Identity())}) {
        expect_rotation(nearest_rotation(f));
        EXPECT_EQ(nearest_rotation(f), nearest_rotation(f));
    }
}

TEST(NearestRotation, IsTheIdentityOfWhatIsNotFinite) {
    Mat3 f = Mat3::Identity();
    f(1, 2) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(nearest_rotation(f), Mat3::Identity());
    f(1, 2) = std::numeric_limits<double>::infinity();
    EXPECT_EQ(nearest_rotation(f), Mat3::Identity());
}

}  // namespace
}  // namespace toile
