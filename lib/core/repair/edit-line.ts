import { editJson } from './json-edit'
import type { Emission } from './plan'

/** The text of an emission; `text` is that of the line it names. */
export function emittedText(emission: Emission, text: string): string {
  if (emission.kind === 'made') return editJson(emission.text, emission.edits)
  const { part, edits } = emission
  return editJson(part === undefined ? text : text.slice(part[0], part[1]), edits)
}
