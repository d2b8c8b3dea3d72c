import fc from 'fast-check'

/** What a user sends beside a text. */
type Attachment = 'none' | 'image' | 'file' | 'text-file'

/** What a tool said, in the ways in which APIs let it say something. */
type ToolAnswer = {
  readonly kind: 'text' | 'blocks' | 'picture' | 'data' | 'error' | 'empty'
  readonly text: string
}

export type ToolStep = {
  readonly id: string
  readonly path: string
  readonly answer: ToolAnswer
}

/** One step of an agent's conversation, whatever the form that it is written in. */
export type TalkStep =
  | {
      readonly kind: 'ask'
      readonly text: string
      readonly attachment: Attachment
      /** Marks the end of what a provider is to cache. */
      readonly marked: boolean
    }
  | {
      readonly kind: 'answer'
      /** '' where the model only called tools. */
      readonly text: string
      readonly thinking: 'none' | 'plain' | 'redacted'
      /** A tool that the provider ran itself, with its result. */
      readonly server: boolean
      readonly refuses: boolean
      readonly calls: readonly ToolStep[]
      /** What the user adds to the results, in the same message where the form has such. */
      readonly aside: string
    }

const words = (most: number) =>
  fc.integer({ min: 1, max: most }).map((count) => 'berth crane ledger '.repeat(count).trim())

/** How large texts and conversations get. */
export type StepSizes = { readonly words: number; readonly turns: number }

/**
 * Conversations of whole turns with everything that APIs have: thinking with and without its text, tools of the
 * provider, several calls at once, results of every kind, answers without words, refusals, files, cache marks. Each call
 * is answered, in place.
 */
export function histories(
  { words: most, turns }: StepSizes = { words: 30, turns: 10 },
): fc.Arbitrary<TalkStep[]> {
  const toolAnswer = fc.record({
    kind: fc.constantFrom<ToolAnswer['kind']>(
      'text',
      'text',
      'text',
      'blocks',
      'picture',
      'data',
      'error',
      'empty',
    ),
    text: words(most),
  })
  const answer = fc.record({
    text: fc.oneof({ weight: 3, arbitrary: words(most) }, fc.constant('')),
    thinking: fc.constantFrom<'none' | 'plain' | 'redacted'>('none', 'none', 'plain', 'redacted'),
    server: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    refuses: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
    calls: fc.array(toolAnswer, { maxLength: 3 }),
    aside: fc.constantFrom('', '', '', 'And hurry.'),
  })
  const turn = fc.record({
    ask: words(most),
    attachment: fc.constantFrom<Attachment>('none', 'none', 'none', 'none', 'image', 'file', 'text-file'),
    marked: fc.boolean(),
    answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
  })
  return fc.array(turn, { minLength: 1, maxLength: turns }).map((all) => {
    let id = 0
    return all.flatMap(({ ask, attachment, marked, answers }, at): TalkStep[] => [
      { kind: 'ask', text: `${at}: ${ask}`, attachment, marked },
      ...answers.map(({ calls, text, ...rest }): TalkStep => {
        const made = calls.map((said): ToolStep => {
          id += 1
          return { id: `call_${id}`, path: `log/${id}.md`, answer: { ...said, text: `${id}: ${said.text}` } }
        })
        // An answer says something, or calls something.
        const own = text === '' && made.length === 0 ? 'Done.' : text
        return { kind: 'answer', ...rest, text: own, aside: made.length > 0 ? rest.aside : '', calls: made }
      }),
    ])
  })
}

/** A picture of one pixel, and a page, as base64. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const PAGE = 'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwvTGVuZ3RoIDM+PgpzdHJlYW0K'
