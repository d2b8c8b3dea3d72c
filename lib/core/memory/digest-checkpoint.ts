import type { CheckpointBody } from './checkpoint'

const FIELDS = {
  '## Goal': 'topics',
  '## Decisions': 'decisions',
  '## Pending user asks': 'questions',
} as const

/** What a digest says where it found nothing. */
const NOTHING = /^(None recorded|None)\.$/

/** A checkpoint made of a digest, without a model: its sections where they belong, the rest as the summary. */
export function digestCheckpoint(digest: string): CheckpointBody {
  const found: { [F in (typeof FIELDS)[keyof typeof FIELDS]]: string[] } = {
    topics: [],
    decisions: [],
    questions: [],
  }
  const rest: string[] = []
  for (const section of digest.split(/\n\n(?=## )/)) {
    const [heading = '', ...lines] = section.split('\n')
    const field = FIELDS[heading as keyof typeof FIELDS]
    if (field === undefined) rest.push(section)
    else
      found[field].push(
        ...lines
          .filter((line) => line !== '' && !NOTHING.test(line))
          .map((line) => line.replace(/^[-*] /, '')),
      )
  }
  return { summary: rest.join('\n\n'), ...found }
}
