import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptBuilder } from './transcript'

/**
 * Writes a session of twelve long requests into the folder's `store`; it fills a small window. Answers its file.
 * @param work what is between a request and its answer
 */
export function writePartsSession(
  folder: string,
  work: (builder: TranscriptBuilder, part: number) => void = () => undefined,
): string {
  mkdirSync(join(folder, 'store'))
  const file = join(folder, 'store', 's1.jsonl')
  const builder = new TranscriptBuilder()
  for (let i = 0; i < 12; i++) {
    builder.user(`Please do part ${i}. ${'word '.repeat(200)}`)
    work(builder, i)
    builder.assistant(`Part ${i} is done.`, { usage: { input: 1_500 + i * 900, output: 30 } })
  }
  writeFileSync(file, `${builder.lines.join('\n')}\n`)
  return file
}
