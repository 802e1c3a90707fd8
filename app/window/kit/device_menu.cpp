#include "app/window/kit/widgets.hpp"

#include <fmt/format.h>

namespace warplens::app {

std::string short_name(const device::Device& device) {
  return device.sm_count > 0 && device.name.starts_with("NVIDIA ") ? device.name.substr(7) : device.name;
}

namespace {

void draw_gpu_items(const Ui& ui, std::string_view name) {
  const GpuRuns& gpus = ui.model.gpus();
  if (gpus.is_looking()) menu_item(ui, "Looking for a GPU…", {.enabled = false});
  if (!gpus.note().empty()) menu_item(ui, "No GPU, so kernels run on the emulator", {.enabled = false});
  for (const gpu::GpuDevice& device : gpus.devices()) {
    const bool chosen = ui.state().engine == Engine::gpu && ui.state().gpu == device.index;
    const std::string line = fmt::format("GPU {} · {}##gpu{}", device.index, device.name, device.index);
    const std::string mark = fmt::format("{}/gpu{}", name, device.index);
    if (menu_item(ui, line, {.chosen = chosen, .mark = mark})) ui.model.choose_gpu(device.index);
  }
  ImGui::Separator();
}

// Its compute capability stands at the right.
void draw_device_item(const Ui& ui, std::string_view name, const device::Device& device) {
  const bool chosen = device.id == ui.model.device().id;
  const std::string line = fmt::format("{}##{}", short_name(device), device.id);
  const std::string capability =
      fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10);
  const bool clicked = menu_item(
      ui, line,
      {.keys = capability.c_str(), .chosen = chosen, .mark = fmt::format("{}/{}", name, device.id)});
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
  if (clicked) ui.model.choose_device(device.id);
}

}  // namespace

void draw_device_menu(const Ui& ui, std::string_view name, const Rect& rect, std::string_view text,
                      std::string_view tip, bool with_gpus) {
  const std::string popup = std::string(name) + " menu";
  if (button(ui, name, rect, text, {.look = Look::flat, .tip = tip, .menu = true}))
    ImGui::OpenPopup(popup.c_str());
  if (!begin_menu(popup.c_str(), rect)) return;
  if (with_gpus) draw_gpu_items(ui, name);
  // Devices that were built, the newest first; then what is only the rules of a compute capability.
  const auto& devices = ui.model.device_table().devices();
  ImGui::TextDisabled("Devices");
  for (auto device = devices.rbegin(); device != devices.rend(); ++device)
    if (device->sm_count > 0) draw_device_item(ui, name, *device);
  ImGui::Separator();
  ImGui::TextDisabled("Compute capabilities");
  for (const device::Device& rules : devices)
    if (rules.sm_count <= 0) draw_device_item(ui, name, rules);
  ImGui::EndPopup();
}

}  // namespace warplens::app
