/** Has the browser keep what an address of ours answers as a file. */
export function saveAddress({ name, href }: { name: string; href: string }): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}

/** Hands a text to the browser as a file to keep. Nothing leaves the machine. */
export function saveFile({ name, type, text }: { name: string; type: string; text: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the blob after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
