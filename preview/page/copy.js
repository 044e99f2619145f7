// copy puts a text on the clipboard, and its button says so for a moment.
export async function copy(text, button) {
  button.dataset.label ??= button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not allow it";
  }
  setTimeout(() => (button.textContent = button.dataset.label), 1500);
}
