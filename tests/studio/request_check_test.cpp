// SPDX-License-Identifier: Apache-2.0
#include "studio/server/request_check.h"

#include "studio/server/site.h"

#include <gtest/gtest.h>

#include <set>

namespace toile::studio {
namespace {

constexpr int kPort = 8123;
const SiteAddress kLoopback{"127.0.0.1", kPort};
const std::string kToken = "0123456789abcdef0123456789abcdef";

HttpHead head(const std::string& target) {
    HttpHead head;
    head.method = "GET";
    head.target = target;
    head.host = "127.0.0.1:8123";
    return head;
}

TEST(OwnHost, IsEveryNameOfTheLoopbackWithThePort) {
    for (const char* name : {"127.0.0.1:8123", "localhost:8123", "LocalHost:8123", "[::1]:8123"}) {
        EXPECT_TRUE(is_own_host(name, kLoopback)) << name;
    }
}

TEST(OwnHost, IsNoOtherNameThatLeadsHere) {
    for (const char* name :
         {"evil.example:8123", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8123.evil.example",
          "localhost.evil.example:8123", "127.0.0.1.nip.io:8123", "192.168.0.7:8123", ":8123", "",
          "evil@127.0.0.1:8123", " 127.0.0.1:8123", "127.0.0.1:81230"}) {
        EXPECT_FALSE(is_own_host(name, kLoopback)) << name;
    }
}

TEST(OwnHost, IsTheHostThatWasAskedFor) {
    EXPECT_TRUE(is_own_host("cloth.example:8123", {"cloth.example", kPort}));
    EXPECT_FALSE(is_own_host("other.example:8123", {"cloth.example", kPort}));
    EXPECT_TRUE(is_own_host("[fe80::1]:8123", {"fe80::1", kPort}));
    EXPECT_TRUE(is_own_host("cloth.example", {"cloth.example", 80}));
}

TEST(OwnHost, OnAllAddressesIsAnyAddressButNoName) {
    const SiteAddress everywhere{"0.0.0.0", kPort};
    EXPECT_TRUE(is_own_host("192.168.0.7:8123", everywhere));
    EXPECT_TRUE(is_own_host("[fe80::1]:8123", everywhere));
    EXPECT_FALSE(is_own_host("evil.example:8123", everywhere));
    EXPECT_FALSE(is_own_host("192.168.0.7.evil.example:8123", everywhere));
}

TEST(OwnOrigin, IsThePageOfTheHostThatIsAsked) {
    EXPECT_TRUE(is_own_origin("http://127.0.0.1:8123", "127.0.0.1:8123"));
    for (const char* origin :
         {"http://evil.example", "null", "", "https://127.0.0.1:8123", "http://127.0.0.1:9000",
          "http://localhost:8123", "http://127.0.0.1:8123.evil.example", "file://"}) {
        EXPECT_FALSE(is_own_origin(origin, "127.0.0.1:8123")) << origin;
    }
}

TEST(Secret, IsTheSameOnlyWhereEveryByteIs) {
    EXPECT_TRUE(is_same_secret(kToken, kToken));
    EXPECT_FALSE(is_same_secret(kToken, ""));
    EXPECT_FALSE(is_same_secret(kToken, kToken + "0"));
    EXPECT_FALSE(is_same_secret(kToken, kToken.substr(1)));
    for (size_t i = 0; i < kToken.size(); ++i) {
        std::string other = kToken;
        other[i] = 'x';
        EXPECT_FALSE(is_same_secret(kToken, other)) << i;
    }
}

TEST(Token, IsAnotherEveryTime) {
    std::set<std::string> tokens;
    for (int i = 0; i < 100; ++i) {
        const std::string token = random_token();
        EXPECT_EQ(token.size(), 32U);
        EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
        tokens.insert(token);
    }
    EXPECT_EQ(tokens.size(), 100U);
}

TEST(Query, GivesTheValueOfItsKeyAlone) {
    EXPECT_EQ(query_value("/?token=abc", "token"), "abc");
    EXPECT_EQ(query_value("/?a=1&token=abc&b=2", "token"), "abc");
    EXPECT_EQ(query_value("/?nottoken=abc", "token"), std::nullopt);
    EXPECT_EQ(query_value("/?token", "token"), std::nullopt);
    EXPECT_EQ(query_value("/token=abc", "token"), std::nullopt);
    EXPECT_EQ(query_value("/?token=", "token"), "");
    EXPECT_EQ(path_of("/socket?token=abc"), "/socket");
}

class SiteTest : public testing::Test {
  protected:
    Downloads downloads_;
    Site site_{kLoopback, kToken, downloads_};
};

TEST_F(SiteTest, GivesThePageOnlyWithTheToken) {
    EXPECT_EQ(site_.answer(head("/?token=" + kToken)).status, 200);
    for (const std::string& target : {std::string("/"), "/?token=" + std::string(32, '0'),
                                      "/?token=" + kToken + "0", std::string("/?token=")}) {
        const HttpAnswer answer = site_.answer(head(target));
        EXPECT_EQ(answer.status, 403) << target;
        EXPECT_NE(answer.body.find("terminal"), std::string::npos);
        EXPECT_EQ(answer.body.find(kToken), std::string::npos);
    }
}

TEST_F(SiteTest, LeadsToThePageOnceByATicketThatIsNotTheToken) {
    const std::string url = site_.ticket_url();
    EXPECT_EQ(url.find(kToken), std::string::npos);
    const std::string target = url.substr(url.find("/open"));
    EXPECT_EQ(site_.answer(head("/open")).status, 403);
    EXPECT_EQ(site_.answer(head("/open?ticket=" + kToken)).status, 403);
    const HttpAnswer led = site_.answer(head(target));
    EXPECT_EQ(led.status, 303);
    EXPECT_EQ(led.location, "/?token=" + kToken);
    const HttpAnswer again = site_.answer(head(target));
    EXPECT_EQ(again.status, 403);
    EXPECT_TRUE(again.location.empty());
}

TEST_F(SiteTest, HoldsNoSecretInItsBundle) {
    for (const char* target : {"/studio.js", "/studio.css"}) {
        const HttpAnswer answer = site_.answer(head(target));
        EXPECT_EQ(answer.status, 200);
        EXPECT_FALSE(answer.body.empty());
        EXPECT_EQ(answer.body.find(kToken), std::string::npos);
    }
}

TEST_F(SiteTest, GrantsTheSocketOnlyWithTheToken) {
    HttpHead good = head("/socket?token=" + kToken);
    good.upgrade = true;
    EXPECT_TRUE(site_.answer(good).socket);
    HttpHead bad = good;
    bad.target = "/socket?token=" + std::string(32, 'a');
    EXPECT_EQ(site_.answer(bad).status, 403);
    EXPECT_FALSE(site_.answer(bad).socket);
    good.upgrade = false;
    EXPECT_EQ(site_.answer(good).status, 426);
}

TEST_F(SiteTest, RefusesAnotherHostBeforeAllElse) {
    for (const char* target : {"/", "/studio.js", "/socket", "/nothing"}) {
        HttpHead asked = head(std::string(target) + "?token=" + kToken);
        asked.host = "evil.example:8123";
        EXPECT_EQ(site_.answer(asked).status, 403) << target;
        asked.host.reset();
        EXPECT_EQ(site_.answer(asked).status, 403) << target;
    }
}

TEST_F(SiteTest, RefusesAnotherSitesPageEvenWithTheToken) {
    HttpHead asked = head("/socket?token=" + kToken);
    asked.upgrade = true;
    asked.origin = "http://evil.example";
    EXPECT_EQ(site_.answer(asked).status, 403);
    asked.origin = "null";
    EXPECT_EQ(site_.answer(asked).status, 403);
    asked.origin = "http://127.0.0.1:8123";
    EXPECT_EQ(site_.answer(asked).status, 101);
}

TEST_F(SiteTest, AnswersNothingButGet) {
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "FETCH"}) {
        HttpHead asked = head("/?token=" + kToken);
        asked.method = method;
        const HttpAnswer answer = site_.answer(asked);
        EXPECT_EQ(answer.status, 405) << method;
        EXPECT_EQ(answer.allow, "GET");
    }
}

TEST_F(SiteTest, KnowsNoFilesBesideItsOwn) {
    for (const char* target : {"/etc/passwd", "/../etc/passwd", "/studio.js/..", "//", "/page.html",
                               "/favicon.ico", "/download", "*", "http://evil.example/", ""}) {
        EXPECT_EQ(site_.answer(head(target)).status, 404) << target;
    }
    for (const char* target : {"/download/1", "/download/", "/download/../studio.js"}) {
        EXPECT_EQ(site_.answer(head(target)).status, 403) << target;
        EXPECT_EQ(site_.answer(head(std::string(target) + "?token=" + kToken)).status, 404)
            << target;
    }
}

TEST_F(SiteTest, RefusesABody) {
    HttpHead asked = head("/?token=" + kToken);
    asked.has_body = true;
    EXPECT_EQ(site_.answer(asked).status, 413);
}

TEST(SafetyHeaders, LetThePageLoadNothingFromElsewhere) {
    std::string policy;
    for (const auto& [name, value] : safety_headers()) {
        if (name == "Content-Security-Policy") policy = value;
    }
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_EQ(policy.find("http"), std::string::npos);
    EXPECT_EQ(policy.find('*'), std::string::npos);
}

}  // namespace
}  // namespace toile::studio
