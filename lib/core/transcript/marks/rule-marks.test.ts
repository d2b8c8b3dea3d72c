import { describe, expect, it } from 'vitest'
import { RULE_CHARS, ruleMarks } from './rule-marks'
import { fingerprintOf } from './text-marks'

const RULE = 'Never push the harbour ledger to the main branch.'
/** Has a word of a rule, and is none. */
const NO_RULE = 'It always fails on the north quay.'

const beginsOf = (text: string) => ruleMarks(text).map(({ begin }) => begin)

describe('a rule of the user', () => {
  it('is known by its telling words, each once, and by its beginning', () => {
    const [mark, ...others] = ruleMarks(`Hello. ${RULE} The harbour waits.`)
    expect(others).toEqual([])
    expect(mark).toEqual({
      words: ['push', 'harbor', 'ledger', 'branch'].map(fingerprintOf),
      begin: 'Never push the harbour ledger to the main branch',
    })
  })

  it.each([
    'Always paint the hull of a boat twice.',
    'The ledger must be signed by the harbour master.',
    'You should never paint the hull of a boat.',
    'ALWAYS PAINT THE HULL OF A BOAT TWICE.',
  ])('is: %s', (text) => expect(ruleMarks(text)).toHaveLength(1))

  it.each([
    '',
    NO_RULE,
    'However the hull of the boat was painted twice.',
    'Never mind the hull of the painted boat.',
    'You must paint the hull of the boat, right?',
    'Always do it so.',
    'Always paint boats.',
    `<system-reminder>${RULE}</system-reminder>`,
    `\n  Caveat: ${RULE}`,
  ])('is not: %s', (text) => expect(ruleMarks(text)).toEqual([]))

  it('has at least three telling words', () => {
    expect(ruleMarks('Always paint wooden boats.')).toHaveLength(1)
  })

  it('differs from others by its first 16 words', () => {
    const words = Array.from({ length: 20 }, (_, i) => `k${String.fromCharCode(97 + i)}x`)
    const [mark] = ruleMarks(`Always count ${words.join(' ')}.`)
    expect(mark?.words).toEqual(['count', ...words.slice(0, 15)].map(fingerprintOf))
  })

  it('is shown by 90 characters at most', () => {
    const of = (chars: number) => `Always count wooden berths ${'x'.repeat(60)} ${'y'.repeat(chars - 88)}`
    expect(beginsOf(of(90))).toEqual([of(90)])
    expect(beginsOf(of(91))).toEqual([`${of(91).slice(0, 89)}…`])
    expect(beginsOf('Always count the berths of ledger.md twice.')).toEqual([
      'Always count the berths of ledger.md twice',
    ])
    expect(beginsOf(`${of(90)}.`)).toEqual([`${of(90).slice(0, 89)}…`])
  })
})

describe('rules of one message', () => {
  const rule = (at: number) => `Always count wooden berths of pier${String.fromCharCode(97 + at)}.`
  const rules = (count: number) => Array.from({ length: count }, (_, at) => rule(at))

  it('are found in all its lines and sentences, twelve of them', () => {
    expect(beginsOf(`${rule(0)} ${rule(1)}\nHello.\n\n- ${rule(2)}\n${rule(3)}`)).toHaveLength(4)
    expect(ruleMarks(rules(12).join('\n'))).toHaveLength(12)
    expect(beginsOf(rules(13).join('\n')).at(-1)).toBe(rule(11).slice(0, -1))
  })

  it('are looked for in its beginning only', () => {
    const behind = (chars: number) => ruleMarks(`${' \n'.repeat(chars / 2)}${rule(0)}`)
    expect(behind(RULE_CHARS - rule(0).length - (rule(0).length % 2))).toHaveLength(1)
    expect(behind(RULE_CHARS)).toEqual([])
  })

  it('are looked for in 60 lines that may have one', () => {
    const behind = (lines: number) => ruleMarks(`${`${NO_RULE}\nHello.\n`.repeat(lines)}${rule(0)}`)
    expect([behind(59).length, behind(60).length]).toEqual([1, 0])
    const withCode = `\`\`\`\nx\n\`\`\`\n${`${NO_RULE}\n`.repeat(60)}${rule(0)}`
    expect(ruleMarks(withCode), 'all of them, where there is a block of code').toHaveLength(1)
  })
})

describe('blocks of code', () => {
  const code = (text: string) => `\`\`\`\n${text}\n\`\`\``

  it.each([
    ['in a block', code(RULE), 0],
    ['before one', `${RULE}\n${code('x')}`, 1],
    ['behind one', `${code('x')}\n${RULE}`, 1],
    ['behind one with a rule', `${code(RULE)}\n${RULE}`, 1],
    ['between two', `${code('x')}\n${RULE}\n${code('y')}`, 1],
    ['in the second', `${code('x')}\nHello.\n${code(RULE)}`, 0],
    ['in one that does not end', `Hello.\n\`\`\`\n${RULE}`, 0],
    ['in the line that begins one', `\`\`\`txt ${RULE}\nx\n\`\`\`\n`, 0],
    ['behind one whose fences are indented', `Hello.\n  \`\`\`\nx\n  \`\`\`\n${RULE}`, 1],
    ['in one whose fences are indented', `Hello.\n  \`\`\`\n${RULE}\n  \`\`\``, 0],
    ['in a line that names a fence', `Hello.\nAlways put wooden berths in \`\`\` and chains.\n${RULE}`, 2],
    ['in the last line, which names one', 'Hello.\nAlways put wooden berths in ``` and chains.', 1],
    ['behind one whose first line has its words', `\`\`\`txt ${RULE}\nx\n\`\`\`\n${RULE}`, 1],
    ['behind one whose last line has its words', `\`\`\`\nx\n\`\`\` never\n${RULE}`, 1],
    ['behind a line that names one', `Write \`\`\`txt\n${RULE}`, 1],
  ])('a rule %s', (_where, text, rules) => expect(ruleMarks(text)).toHaveLength(rules))
})
