import type { SessionFinding } from '../../core/findings/finding'
import { pinLine, pinnedText } from '../../core/findings/remedies/pin-line'
import { parseSessionKey } from '../../core/history/session-key'
import { sentencesOf } from '../../core/summary/sentences'
import type { EntryFact } from '../../core/transcript/entry'
import type { Milliseconds } from '../../core/units/units'
import type { FoundStore, FoundTranscript } from '../read/ports'
import type { ExaminedFinding } from './plan-remedy'
import type { RemedyPorts } from './remedy-ports'

/** A rule that the user said, as the line that would be written. */
export type PinnableRule = {
  /** Of the file as it is and as it would be: who writes has to name it, and has seen the line then. Hex. */
  readonly code: string
  readonly line: string
  /** The whole file with it. */
  readonly text: string
  /** Where it was said: line of the transcript, and when. */
  readonly saidIn: number
  readonly saidAt: Milliseconds | null
}

/** Rules that could be written into a file of instructions, each alone. Nothing is written by it. */
export type PinPlan = {
  readonly finding: SessionFinding
  readonly store: FoundStore
  readonly file: string
  /** The folder that the file must stay in. */
  readonly folder: string
  /** Of its bytes; null: there is no file yet. */
  readonly hash: string | null
  readonly before: string
  readonly rules: readonly PinnableRule[]
  /** Why others are not offered, sentences. */
  readonly left: readonly string[]
  /** Who reads the file, a sentence. */
  readonly reach: string
  /** Who said it, as far as that is known, a sentence. */
  readonly source: string
}

/** A larger file of instructions is cut by every runtime. UTF-16 units. */
const MOST_FILE = 32_768

/**
 * Works out the lines that would keep lost rules in the context. A transcript is written by many: only what the user said
 * is taken, of a session that a person leads, never what a tool, the model or another session wrote.
 * @returns a sentence where nothing can be pinned
 */
export async function offerPin(ports: RemedyPorts, examined: ExaminedFinding): Promise<PinPlan | string> {
  const { finding, store, transcript } = examined
  const stranger = strangerIn(transcript)
  if (stranger !== null) return stranger
  const home = ports.pinHomeOf(store, transcript)
  if (!home.can) return home.why
  const read = await ports.readText(home.path, home.folder)
  if (read !== null && !read.writable) return `${home.path} cannot be written.`
  const before = read?.text ?? ''
  if (before.length > MOST_FILE)
    return `${home.path} is longer than runtimes take (${MOST_FILE} characters): shorten it first.`
  const said = await saidRules(ports, examined)
  if (said === 'agent')
    return 'The session was started by another one: what is said in it in the name of the user was written by a model.'
  const lines = new Set<string>()
  const left = new Set<string>()
  const rules = said.flatMap(({ rule, line: saidIn, at: saidAt }): PinnableRule[] => {
    const pin = pinLine(rule)
    if (!pin.can) {
      left.add(pin.why)
      return []
    }
    if (lines.has(pin.line)) return []
    lines.add(pin.line)
    const pinned = pinnedText(before, pin.line)
    if (!pinned.can) {
      left.add(pinned.why)
      return []
    }
    const code = ports.hash(JSON.stringify([home.path, read?.hash ?? null, pinned.text]))
    return [{ code, line: pin.line, text: pinned.text, saidIn, saidAt }]
  })
  if (rules.length === 0)
    return [...left, 'No rule of yours can be taken from the lines at which it shows.'].join(' ')
  return {
    ...{ finding, store, file: home.path, folder: home.folder, hash: read?.hash ?? null, before },
    ...{ rules, left: [...left], reach: home.reach, source: sourceWords(transcript) },
  }
}

/** Why what is said in a session need not be the operator's, a sentence; null: nothing speaks against it. */
function strangerIn({ key, index }: FoundTranscript): string | null {
  if (index?.spawnedBy !== undefined)
    return 'The session works for another one: what is said in it in the name of the user was written by a model.'
  const kind = key === null ? null : (parseSessionKey(key)?.kind ?? null)
  if (kind === null || kind === 'own' || kind === 'direct') return null
  return kind === 'group' || kind === 'channel'
    ? 'The session is of a group: who said a rule is not known, so none of it is written into a file of instructions.'
    : 'No person leads the session, so nothing that is said in it is written into a file of instructions.'
}

function sourceWords({ sessionId, key, index }: FoundTranscript): string {
  const direct = key !== null && parseSessionKey(key)?.kind === 'direct'
  const channel = direct ? `, by the one who writes to it over ${index?.channel ?? 'a channel'}` : ''
  return `Said in the name of the user in the session ${sessionId}${channel}. Read the line: it comes from a transcript.`
}

type SaidRule = { readonly rule: string; readonly line: number; readonly at: Milliseconds | null }

/** The rules in the messages of the user at which the finding shows, in their order. `agent`: another session leads it. */
async function saidRules(
  { reader }: RemedyPorts,
  { finding, store, transcript }: ExaminedFinding,
): Promise<readonly SaidRule[] | 'agent'> {
  const wanted = new Set(finding.evidence.lines)
  const rules: SaidRule[] = []
  const batches = reader.read(store, transcript, null, () => undefined, { texts: true, marks: true })
  for await (const { facts, texts } of batches)
    for (const [i, fact] of facts.entries()) {
      if (fact.header?.agentOf !== undefined) return 'agent'
      if (wanted.has(fact.line)) rules.push(...rulesOf(fact, texts[i] ?? ''))
    }
  return rules
}

function rulesOf({ role, marks, line, at }: EntryFact, text: string): SaidRule[] {
  if (role !== 'user' || marks?.rules === undefined) return []
  const sentences = sentencesOf(text)
  return marks.rules.flatMap(({ begin }) => {
    const start = begin.endsWith('…') ? begin.slice(0, -1) : begin
    const said = sentences.find((sentence) => sentence.text.startsWith(start))
    return said === undefined ? [] : [{ rule: said.text, line, at }]
  })
}
