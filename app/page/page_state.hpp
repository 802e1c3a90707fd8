// The part of a window's state that a page has, as JSON: kernel, params, size, device, figure, block, warp, access, line, dark.
#pragma once

#include <nlohmann/json.hpp>

#include "app/state/state.hpp"
#include "engine/base/result.hpp"

namespace warplens::app::page {

using Json = nlohmann::ordered_json;

Json state_json(const app::State& state);
// Keys that are missing leave what a state starts with. Errors: a value of another type, names that are not
// known, a kernel that is no step of a ladder: nobody reads files by a link.
Result<app::State> state_of(const Json& json, const app::KnownNames& known);

}  // namespace warplens::app::page
