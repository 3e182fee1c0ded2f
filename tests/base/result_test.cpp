#include "base/result.h"

#include <doctest/doctest.h>

#include <memory>

using aleph::Error;
using aleph::Result;
using aleph::Status;

namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return Error{"an odd number has no half"};
  return number / 2;
}

Status require_even(int number) {
  if (const auto result = half(number); !result.ok()) return Error{result.error()};
  return Status::success();
}

}  // namespace

TEST_CASE("a result holds a value or the reason there is none") {
  CHECK(half(8).ok());
  CHECK(half(8).value() == 4);
  CHECK_FALSE(half(7).ok());
  CHECK(half(7).error() == "an odd number has no half");
}

TEST_CASE("take moves a value that cannot be copied") {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  const std::unique_ptr<int> owned = result.take();
  CHECK(*owned == 5);
}

TEST_CASE("a result of text keeps value and error apart") {
  const Result<std::string> value = std::string("fine");
  const Result<std::string> error = Error{"not fine"};
  CHECK(value.ok());
  CHECK_FALSE(error.ok());
  CHECK(value.value() == "fine");
  CHECK(error.error() == "not fine");
}

TEST_CASE("a status is success or an error") {
  CHECK(require_even(2).ok());
  CHECK_FALSE(require_even(3).ok());
  CHECK(require_even(3).error() == "an odd number has no half");
  CHECK_FALSE(Status(Error{""}).ok());
}
