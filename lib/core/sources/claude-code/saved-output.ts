/** The beginning that the client gives to the text in place of an output that is too long to send. */
const MARK = '<persisted-output>'
/** The note that names the file is at the beginning; the rest is a preview. Characters. */
const NOTE_LENGTH = 5_000
const PLACE = /saved to: ([^\n]*)/
/** What the client makes names of: an id of a call or of a task, and an ending. No folder, no hidden file. */
const NAME = /^[A-Za-z0-9_%-][\w.%-]{0,199}$/

/**
 * The name of the file, in the session's folder for results, that has the whole of an output of which the transcript
 * has the beginning alone; null: the transcript has all there is. Claude Code writes such a note in place of outputs
 * above 50,000 characters. The folder that the note names does not count: a transcript decides no path.
 */
export function savedOutputName(text: string): string | null {
  const note = text.trimStart()
  if (!note.startsWith(MARK)) return null
  const place = PLACE.exec(note.slice(0, NOTE_LENGTH))?.[1]?.trim() ?? ''
  const name = place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1)
  return NAME.test(name) ? name : null
}
