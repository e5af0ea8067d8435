/** Whether a field holds something else than the page came with. */
export function isChanged(field) {
  if (field.type === "checkbox" || field.type === "radio") {
    return field.checked !== field.defaultChecked;
  }
  if (field.multiple && field.options) {
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  }
  if (field.options) {
    const usual = [...field.options].findIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(usual, 0);
  }
  return field.type !== "hidden" && "defaultValue" in field && field.value !== field.defaultValue;
}
