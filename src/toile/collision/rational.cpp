// SPDX-License-Identifier: Apache-2.0
#include "toile/collision/rational.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <gmp.h>
#include <limits>
#include <string>

namespace toile {
namespace {

/// Integers up to here are doubles, and their quotient is rounded once.
constexpr std::int64_t kLargestExact = 1LL << 53;
/// Bits of a double, and two more: the half and the quarter below the last.
constexpr long kQuotientBits = 55;
/// Exponent of the last bit of the smallest doubles, less the two bits more.
constexpr long kLowestExponent = -1074 - 2;

class BigInteger {
  public:
    BigInteger() { mpz_init(value_); }
    ~BigInteger() { mpz_clear(value_); }
    BigInteger(const BigInteger&) = delete;
    BigInteger& operator=(const BigInteger&) = delete;

    mpz_ptr get() { return value_; }

  private:
    mpz_t value_;
};

bool is_integer(std::string_view text) {
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_plus(std::string_view text) {
    return text[0] == '+' ? text.substr(1) : text;
}

std::optional<std::int64_t> small_integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool is_power_of_two(std::int64_t x) {
    return x > 0 && std::has_single_bit(static_cast<std::uint64_t>(x));
}

/// For 64-bit integers that a double division or a shift rounds once; nothing for others.
std::optional<RoundedRational> small_quotient(std::string_view numerator,
                                              std::string_view denominator) {
    const auto n = small_integer(numerator);
    const auto d = small_integer(denominator);
    if (!n || !d || *d == 0) return std::nullopt;
    constexpr auto kNoNegative = std::numeric_limits<std::int64_t>::min();
    if (*n == kNoNegative || *d == kNoNegative) return std::nullopt;
    if (is_power_of_two(*d)) {
        const auto rounded = static_cast<double>(*n);
        const bool exact = std::abs(rounded) < 0x1p63 && static_cast<std::int64_t>(rounded) == *n;
        return RoundedRational{rounded / static_cast<double>(*d), exact};
    }
    if (std::abs(*n) > kLargestExact || std::abs(*d) > kLargestExact) return std::nullopt;
    const double value = static_cast<double>(*n) / static_cast<double>(*d);
    const bool exact = std::fma(value, static_cast<double>(*d), -static_cast<double>(*n)) == 0;
    return RoundedRational{value, exact};
}

/// Rounds quotient · 2^exponent to a multiple of 4 · 2^exponent; `rest`: something is cut off.
RoundedRational round_quotient(std::uint64_t quotient, bool rest, long exponent) {
    const std::uint64_t below = quotient & 3;
    std::uint64_t kept = quotient >> 2;
    const bool above_half = below == 3 || (below == 2 && rest);
    const bool half = below == 2 && !rest;
    if (above_half || (half && kept % 2 == 1)) ++kept;
    return {std::ldexp(static_cast<double>(kept), static_cast<int>(exponent) + 2),
            below == 0 && !rest};
}

RoundedRational big_quotient(mpz_ptr n, mpz_ptr d) {
    const int sign = mpz_sgn(n) * mpz_sgn(d);
    if (sign == 0) return {0, true};
    mpz_abs(n, n);
    mpz_abs(d, d);
    const auto bits_n = static_cast<long>(mpz_sizeinbase(n, 2));
    const auto bits_d = static_cast<long>(mpz_sizeinbase(d, 2));
    // The quotient has bits_n - bits_d or one more bits; cut to 55 or 56, of which two are extra.
    long exponent = bits_n - bits_d - kQuotientBits;
    if (exponent > std::numeric_limits<double>::max_exponent) {
        return {sign * std::numeric_limits<double>::infinity(), false};
    }
    const auto divide = [&](BigInteger& quotient) {
        BigInteger top, bottom, rest;
        mpz_mul_2exp(top.get(), n, static_cast<mp_bitcnt_t>(std::max(-exponent, 0L)));
        mpz_mul_2exp(bottom.get(), d, static_cast<mp_bitcnt_t>(std::max(exponent, 0L)));
        mpz_tdiv_qr(quotient.get(), rest.get(), top.get(), bottom.get());
        return mpz_sgn(rest.get()) != 0;
    };
    exponent = std::max(exponent, kLowestExponent);
    BigInteger quotient;
    bool rest = divide(quotient);
    if (mpz_sizeinbase(quotient.get(), 2) > static_cast<size_t>(kQuotientBits)) {
        ++exponent;
        rest = divide(quotient);
    }
    RoundedRational rounded = round_quotient(mpz_get_ui(quotient.get()), rest, exponent);
    rounded.value *= sign;
    return rounded;
}

}  // namespace

std::optional<RoundedRational> parse_rational(std::string_view numerator,
                                              std::string_view denominator) {
    if (!is_integer(numerator) || !is_integer(denominator)) return std::nullopt;
    numerator = without_plus(numerator);
    denominator = without_plus(denominator);
    if (const auto small = small_quotient(numerator, denominator)) return small;
    BigInteger n, d;
    mpz_set_str(n.get(), std::string(numerator).c_str(), 10);
    mpz_set_str(d.get(), std::string(denominator).c_str(), 10);
    if (mpz_sgn(d.get()) == 0) return std::nullopt;
    return big_quotient(n.get(), d.get());
}

}  // namespace toile
