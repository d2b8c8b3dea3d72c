import type { WriteFiles } from '../../engine/write-ports'

/** A file as text, UTF-8. */
export async function readText(files: WriteFiles, path: string): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  for await (const piece of files.read(path)) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}
