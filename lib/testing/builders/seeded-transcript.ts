import { seededChance } from '../../core/findings/effect/seeded-chance'
import { TranscriptBuilder } from './transcript'

const TURNS = 10
const DAY = 86_400_000
const START = Date.UTC(2026, 8, 1, 8)
const WORDS = ['berth', 'crane', 'tide', 'quay', 'pilot', 'cargo', 'anchor', 'ledger', 'beacon', 'hawser']
/** Tokens before the first message, of an answer or a call, and of a line of a result. */
const [FIXED, ANSWER, LINE] = [4_000, 80, 12]
/** The user is away for longer than the cache lives. Milliseconds. */
const PAUSE = 900_000

/**
 * A transcript of pi that a number always makes the same: turns in which files are listed and read, long results, and
 * answers that name again, sooner or later, what was read. Every sixth session is of another workspace.
 * @param size results are so many times as long
 */
export function seededTranscript(number: number, size = 1): string {
  const chance = seededChance(`transcript ${number}`)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T
  const begun = START + number * DAY
  const builder = new TranscriptBuilder({
    id: `seeded-${number}`,
    cwd: `/srv/${WORDS[number % 6]}`,
    timestamp: new Date(begun).toISOString(),
  })
  const files: string[] = []
  let now = begun
  /** Tokens that the cache holds, and those that came since. */
  let [held, fresh] = [0, FIXED]
  const over = () => {
    now += 20_000
    return { timestamp: new Date(now).toISOString() }
  }
  const usage = () => {
    const line = { cacheWrite: fresh, cacheRead: held, output: ANSWER, cost: 0.01 }
    held += fresh
    fresh = ANSWER
    return line
  }
  for (let turn = 0; turn < TURNS; turn++) {
    if (chance() < 0.15) {
      now += PAUSE
      fresh += held
      held = 0
    }
    builder.user(`Look after the ${pick(WORDS)} of turn ${turn}.`, over())
    const steps = 1 + Math.floor(chance() * 2)
    for (let step = 0; step < steps; step++) {
      const file = `src/${pick(WORDS)}/${pick(WORDS)}-${number}-${turn}-${step}.ts`
      const call = `c${turn}-${step}`
      builder.assistant('', { usage: usage(), calls: [call], over: over() })
      const lines = Array.from(
        { length: size * (20 + Math.floor(chance() * 60)) },
        (_, line) => `${line}: the ${pick(WORDS)} waits for the ${pick(WORDS)} of the ${pick(WORDS)}`,
      )
      builder.result(call, `${file}\n${lines.join('\n')}\n`, over())
      fresh += lines.length * LINE
      files.push(file)
    }
    // Mostly what came lately, now and then what came long ago.
    const back = Math.floor(files.length * chance() ** 3)
    const known = files[files.length - 1 - back] ?? ''
    builder.assistant(`The change belongs in ${known}.`, { usage: usage(), over: over() })
  }
  return builder.text()
}
