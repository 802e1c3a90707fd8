// The GLSL of the live plots.
#pragma once

namespace warplens::live::shader {

extern const char* const kWholeVertex;  // fills the viewport
extern const char* const kLaunchesFragment;
extern const char* const kBlocksVertex;
extern const char* const kBlocksFragment;
extern const char* const kResultFragment;

}  // namespace warplens::live::shader
