// What a test's process writes to standard error.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace fixture {

/// Goes to a file while it lives.
class StandardError {
public:
  StandardError() : before_(dup(2)), file_(mkstemp(path_)) { dup2(file_, 2); }
  ~StandardError() {
    dup2(before_, 2);
    close(before_);
    close(file_);
    std::remove(path_);
  }
  StandardError(const StandardError &) = delete;
  std::string text() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

private:
  char path_[40] = "/tmp/standard_error.XXXXXX";
  int before_, file_;
};

} // namespace fixture
