import { TranscriptBuilder } from './transcript'

/** A session with a name, which is its id too, and one question that was answered. */
export function oneAnswer(name: string, question: string): string {
  const builder = new TranscriptBuilder({ id: name })
  builder.entry('session_info', { name })
  builder.user(question)
  builder.assistant('At sea.', { usage: { input: 1000, output: 20 } })
  return builder.text()
}
