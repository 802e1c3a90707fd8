// The GLSL of the live plots.
#pragma once

namespace warplens::live::shader {

extern const char* const whole_vertex;  // fills the viewport
extern const char* const launches_fragment;
extern const char* const blocks_vertex;
extern const char* const blocks_fragment;
extern const char* const result_fragment;

}  // namespace warplens::live::shader
