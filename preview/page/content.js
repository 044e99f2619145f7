// The content of the files that views are opened for.

const maxFile = Number(document.documentElement.dataset.maxFile); // bytes

// contentOf reads a file that the user chose, and returns its content in base64. One that
// is too large is not read.
export async function contentOf(file) {
  if (file.size > maxFile) throw new Error(`The file ${file.name} has ${file.size.toLocaleString()} bytes: the preview opens at most ${maxFile.toLocaleString()}.`);
  const address = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(new Error(`The file ${file.name} can't be read: ${reader.error.message} Choose it again.`));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}
