import { isObject } from '../../core/transcript/json'
import type { Source } from './source'
import { SOURCES } from './sources'
import { transcriptBeginning } from './transcript-beginning'

/** Lines of it that are looked at. */
const LINES = 40

/** Whose transcript a file is, by its first lines; null: of none of the runtimes that are translated. */
export function recogniseFile(file: string): Source | null {
  for (const line of firstLines(file)) {
    const found = SOURCES.find((source) => source.discovery.knows(line))
    if (found !== undefined) return found
  }
  return null
}

function* firstLines(file: string) {
  const lines = transcriptBeginning(file).split('\n', LINES)
  for (const text of lines) {
    if (!text.startsWith('{')) continue
    try {
      const value: unknown = JSON.parse(text)
      if (isObject(value)) yield value
    } catch {
      // Cut off, or no JSON: other lines may tell.
    }
  }
}
