import type { ByteRange, WriteFiles } from './write-ports'

/** A file, or a part of it, as text, UTF-8. */
export async function readTextFile(files: WriteFiles, path: string, range?: ByteRange): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  for await (const piece of files.read(path, range)) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}
