#include "app/window/kit/widgets.hpp"

#include <fmt/format.h>

namespace warplens::app {

std::string short_name(const device::Device& device) {
  return device.sm_count > 0 && device.name.starts_with("NVIDIA ") ? device.name.substr(7) : device.name;
}

namespace {

void draw_gpu_items(const Ui& ui, std::string_view name) {
  const GpuRuns& gpus = ui.model.gpus();
  if (gpus.is_looking()) ImGui::MenuItem("Looking for a GPU…", nullptr, false, false);
  if (!gpus.note().empty()) ImGui::MenuItem("No GPU, so kernels run on the emulator", nullptr, false, false);
  for (const gpu::GpuDevice& device : gpus.devices()) {
    const bool chosen = ui.state().engine == Engine::gpu && ui.state().gpu == device.index;
    const std::string line = fmt::format("GPU {} · {}##gpu{}", device.index, device.name, device.index);
    const bool clicked = ImGui::MenuItem(line.c_str(), nullptr, chosen);
    ui.mark(fmt::format("{}/gpu{}", name, device.index),
            rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
    if (clicked) ui.model.choose_gpu(device.index);
  }
  ImGui::Separator();
}

// Its compute capability stands at the right.
void draw_device_item(const Ui& ui, std::string_view name, const device::Device& device) {
  const bool chosen = device.id == ui.model.device().id;
  const std::string line = fmt::format("{}##{}", short_name(device), device.id);
  const std::string capability =
      fmt::format("{}.{}", device.compute_capability / 10, device.compute_capability % 10);
  const bool clicked = ImGui::MenuItem(line.c_str(), capability.c_str(), chosen);
  ui.mark(fmt::format("{}/{}", name, device.id), rect_at(ImGui::GetItemRectMin(), ImGui::GetItemRectSize()));
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
