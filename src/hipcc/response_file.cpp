#include "response_file.h"

#include <cctype>
#include <fstream>
#include <iterator>

namespace chip::hipcc {
namespace {

// As deep as files may name each other.
constexpr int max_depth = 16;

void expand(const std::vector<std::string> &arguments, std::vector<std::string> &result,
            int depth) {
  for (const std::string &argument : arguments) {
    std::ifstream file;
    if (argument.size() > 1 && argument[0] == '@' && depth < max_depth)
      file.open(argument.substr(1));
    if (file.is_open())
      expand(words_of(std::string(std::istreambuf_iterator<char>(file), {})), result, depth + 1);
    else
      result.push_back(argument);
  }
}

} // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && quote != '\'') {
      if (++at == text.size())
        break;
      word += text[at];
      in_word = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (in_word)
        words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word)
    words.push_back(word);
  return words;
}

std::vector<std::string> expand_response_files(const std::vector<std::string> &arguments) {
  std::vector<std::string> result;
  expand(arguments, result, 0);
  return result;
}

} // namespace chip::hipcc
