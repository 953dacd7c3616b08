// SPDX-License-Identifier: Apache-2.0
#ifdef TOILE_WITH_CHOLMOD

#include "toile/core/error.h"
#include "toile/core/large_pages.h"
#include "toile/linalg/cholesky_factor.h"

#include <fmt/format.h>

#include <cholmod.h>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <vector>

namespace toile::detail {
namespace {

// OpenBLAS splits its sums by its number of threads, so the bits would depend on the machine. It
// has no setting for one call: the first factor holds it to one thread for the whole process.
void hold_blas_to_one_thread() {
    using SetThreads = void (*)(int);
    const auto set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    if (set) set(1);
}

// The factor of a fine mesh is touched once, page by page. Nothing is set where another has set it.
void put_large_blocks_on_large_pages() {
    auto* const config =
        static_cast<SuiteSparse_config_struct*>(dlsym(RTLD_DEFAULT, "SuiteSparse_config"));
    if (config && config->malloc_func == std::malloc) config->malloc_func = allocate_on_large_pages;
}

// CHOLMOD asks for four threads in the assembly of every supernode, whatever the machine has: they
// wait for each other longer than they work. No parallel region of OpenMP's opens while this lives.
class NoThreadsOfOpenMp {
  public:
    NoThreadsOfOpenMp() {
        const auto get = function<int (*)()>("omp_get_max_active_levels");
        if (!get || !set_) return;
        before_ = get();
        set_(0);
    }
    ~NoThreadsOfOpenMp() {
        if (before_ >= 0) set_(before_);
    }
    NoThreadsOfOpenMp(const NoThreadsOfOpenMp&) = delete;
    NoThreadsOfOpenMp& operator=(const NoThreadsOfOpenMp&) = delete;

  private:
    template <class Function>
    static Function function(const char* name) {
        return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
    }
    void (*set_)(int) = function<void (*)(int)>("omp_set_max_active_levels");
    int before_ = -1;
};

void prepare_libraries() {
    static std::once_flag once;
    std::call_once(once, [] {
        hold_blas_to_one_thread();
        put_large_blocks_on_large_pages();
    });
}

/// CHOLMOD's settings and scratch: one for every thread that uses a factor.
class Common {
  public:
    Common() {
        cholmod_start(&common_);
        common_.print = 0;
        common_.nmethods = 1;
        common_.method[0].ordering = CHOLMOD_AMD;
        common_.postorder = 1;
        common_.supernodal = CHOLMOD_AUTO;
    }
    ~Common() { cholmod_finish(&common_); }
    Common(const Common&) = delete;
    Common& operator=(const Common&) = delete;

    cholmod_common* get() { return &common_; }

    /// Throws where the last call failed for a reason that is not the matrix.
    void require_ok(const char* what) const {
        if (common_.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
        if (common_.status < 0) {
            throw ComputationFailed(
                fmt::format("CHOLMOD could not {} (status {}).", what, common_.status));
        }
    }

  private:
    cholmod_common common_;
};

/// A view of Eigen's arrays, which CHOLMOD only reads.
cholmod_sparse view(const SparseMatrix& lower) {
    cholmod_sparse result{};
    result.nrow = static_cast<size_t>(lower.rows());
    result.ncol = static_cast<size_t>(lower.cols());
    result.nzmax = static_cast<size_t>(lower.nonZeros());
    result.p = const_cast<int*>(lower.outerIndexPtr());
    result.i = const_cast<int*>(lower.innerIndexPtr());
    result.x = const_cast<double*>(lower.valuePtr());
    result.stype = -1;
    result.itype = CHOLMOD_INT;
    result.xtype = CHOLMOD_REAL;
    result.dtype = CHOLMOD_DOUBLE;
    result.sorted = 1;
    result.packed = 1;
    return result;
}

class CholmodCholesky final : public CholeskyFactor {
  public:
    explicit CholmodCholesky(const SparseMatrix& lower) {
        prepare_libraries();
        cholmod_sparse matrix = view(lower);
        factor_ = cholmod_analyze(&matrix, common_.get());
        if (!factor_) common_.require_ok("analyse the matrix");
        const auto* order = static_cast<const int*>(factor_->Perm);
        row_of_.assign(order, order + factor_->n);
    }
    ~CholmodCholesky() override { cholmod_free_factor(&factor_, common_.get()); }
    CholmodCholesky(const CholmodCholesky&) = delete;
    CholmodCholesky& operator=(const CholmodCholesky&) = delete;

    void factor(const SparseMatrix& lower) override {
        const NoThreadsOfOpenMp one_thread;
        cholmod_sparse matrix = view(lower);
        cholmod_factorize(&matrix, factor_, common_.get());
        common_.require_ok("factor the matrix");
        std::vector<double> found = pivots();
        // Behind the column where CHOLMOD gave up, values mean nothing.
        if (factor_->minor < factor_->n) found.resize(factor_->minor), found.push_back(0);
        require_positive_pivots(found, row_of_, lower);
    }

    void solve(Eigen::Ref<Eigen::MatrixXd> in_out) const override {
        Common common;
        cholmod_dense b{};
        b.nrow = static_cast<size_t>(in_out.rows());
        b.ncol = static_cast<size_t>(in_out.cols());
        b.d = static_cast<size_t>(in_out.outerStride());
        b.nzmax = b.d * b.ncol;
        b.x = in_out.data();
        b.xtype = CHOLMOD_REAL;
        b.dtype = CHOLMOD_DOUBLE;
        cholmod_dense* x = cholmod_solve(CHOLMOD_A, factor_, &b, common.get());
        if (!x) common.require_ok("solve");
        in_out = Eigen::Map<const Eigen::MatrixXd>(static_cast<const double*>(x->x), in_out.rows(),
                                                   in_out.cols());
        cholmod_free_dense(&x, common.get());
    }

  private:
    /// D of L D Lᵀ, in the order of elimination.
    [[nodiscard]] std::vector<double> pivots() const {
        return factor_->is_super ? supernodal_pivots() : simplicial_pivots();
    }
    [[nodiscard]] std::vector<double> simplicial_pivots() const {
        const auto* first = static_cast<const int*>(factor_->p);
        const auto* values = static_cast<const double*>(factor_->x);
        std::vector<double> result(factor_->n);
        for (size_t k = 0; k < factor_->n; ++k) {
            const double d = values[first[k]];
            result[k] = factor_->is_ll ? d * d : d;
        }
        return result;
    }
    [[nodiscard]] std::vector<double> supernodal_pivots() const {
        const auto* super = static_cast<const int*>(factor_->super);
        const auto* first_row = static_cast<const int*>(factor_->pi);
        const auto* first_value = static_cast<const int*>(factor_->px);
        const auto* values = static_cast<const double*>(factor_->x);
        std::vector<double> result(factor_->n);
        for (size_t s = 0; s < factor_->nsuper; ++s) {
            const int n_rows = first_row[s + 1] - first_row[s];
            for (int k = super[s]; k < super[s + 1]; ++k) {
                const int column = k - super[s];
                const double d = values[first_value[s] + column * n_rows + column];
                result[static_cast<size_t>(k)] = d * d;
            }
        }
        return result;
    }

    Common common_;
    cholmod_factor* factor_ = nullptr;
    std::vector<int> row_of_;
};

}  // namespace

std::unique_ptr<CholeskyFactor> make_cholmod_cholesky(const SparseMatrix& lower) {
    return std::make_unique<CholmodCholesky>(lower);
}

}  // namespace toile::detail

#endif
