// The name of a file as it stands between the quotation marks of PTX's .file, which know no escapes: what
// would end them is %22 there, and a per cent sign %25.
#pragma once

#include <string>
#include <string_view>

namespace warplens {

std::string ptx_file_name(std::string_view file);
// And back.
std::string file_of_ptx_name(std::string_view name);

}  // namespace warplens
