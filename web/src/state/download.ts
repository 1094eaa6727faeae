// Hands the reader a file that the page has made.

export function download(name: string, type: string, content: string | Uint8Array): void {
  const isText = typeof content === 'string';
  const blob = new Blob([isText ? content : new Uint8Array(content)], {
    type: isText ? `${type};charset=utf-8` : type,
  });
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
