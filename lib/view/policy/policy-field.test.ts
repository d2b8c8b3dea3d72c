import { describe, expect, it } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/default-policy'
import { resolvePolicy } from '../../core/policy/resolve'
import { policyDocument } from '../../testing/builders/policy-document'
import { parseField, policyField } from './policy-field'
import { FORM_SECTIONS } from './policy-knobs'
import { readPolicyDraft, resolveDraft } from './policy-reading'
import { flatPolicy, policyChanges } from './policy-values'

const TEXT = `policy:
  preset: vs7
  reserve:
    tokens: 9000
  history: { maxTurns: 12 }
`

function field(path: string, text = TEXT, saved = TEXT) {
  const document = policyDocument(saved, '/etc/plimsoll.yaml')
  const now = readPolicyDraft(document, text)
  const { resolved, problems } = resolveDraft(document, now, null)
  const before = resolveDraft(document, readPolicyDraft(document, saved), null).resolved
  return policyField({ path, document, reading: now, resolved, problems, saved: before })
}

describe('X8 the form', () => {
  it('has every value of the policy, in words, in exactly one group', () => {
    const listed = FORM_SECTIONS.flatMap((group) => group.paths)
    expect([...listed].sort()).toEqual([...flatPolicy(DEFAULT_POLICY).keys()].sort())
  })

  it('X9 says value, default, origin and what is allowed', () => {
    expect(field('reserve.tokens')).toMatchObject({
      text: '9000',
      reading: '9\u202f000\u00a0tokens',
      initial: '20000',
      origin: { level: 'preset', label: 'plimsoll.yaml' },
      line: 4,
      before: null,
    })
    expect(field('lines.compact.enabled')).toMatchObject({
      kind: 'flag',
      value: false,
      initial: 'on',
      origin: { label: 'preset vs7' },
      line: null,
    })
    expect(field('window.cap')).toMatchObject({ nullable: true, text: '', origin: { level: 'default' } })
    expect(field('compaction.mode')).toMatchObject({
      kind: 'choice',
    })
    expect(field('lines.flush.at')).toMatchObject({
      kind: 'shares',
      reading: '50\u202f%, 75\u202f%, 90\u202f%',
    })
  })

  it('says what the chosen option does, and counts the rest in their units', () => {
    expect(field('compaction.mode', TEXT, TEXT).reading).toBe(
      'prunes what is summarised to the history share, and audits the summary',
    )
    expect(field('compaction.parts').reading).toBe('')
    expect(field('pruning.keepRecentMs').reading).toBe('5\u202fmin')
  })

  it('X8 shows every knob of a few words as a choice among them, with what each does', () => {
    const choices = FORM_SECTIONS.flatMap(({ paths }) => paths.map((path) => field(path))).filter(
      ({ kind }) => kind === 'choice',
    )
    expect(choices.map(({ path, options }) => [path, options.map(({ value }) => value)])).toEqual([
      ['compaction.mode', ['default', 'safeguard', 'off']],
      ['compaction.identifierPolicy', ['strict', 'off']],
      ['relevance.scorer', ['seed', 'logistic']],
      ['relevance.recency', ['decay', 'literal']],
    ])
    expect(choices.flatMap(({ options }) => options).every(({ about }) => about !== '')).toBe(true)
  })

  it('shows what is unsaved, and the bad value as it is in the file', () => {
    expect(field('reserve.tokens', TEXT.replace('9000', '9500')).before).toBe('9000')
    const bad = field('reserve.tokens', TEXT.replace('9000', 'lots'))
    expect(bad).toMatchObject({ text: 'lots', line: 4, problem: { severity: 'error', lines: [4] } })
  })

  it('reads what is typed', () => {
    const number = { kind: 'number', nullable: false } as const
    expect(['20k', '1 000', '50%', '.5', '0.30'].map((text) => parseField(number, text))).toEqual([
      20_000, 1000, 0.5, 0.5, 0.3,
    ])
    expect(parseField(number, '')).toBeUndefined()
    expect(parseField({ ...number, nullable: true }, '')).toBeNull()
    expect(parseField(number, '0,5')).toBe('0,5')
    expect(parseField({ kind: 'shares', nullable: false }, '50%, 0.75 .9')).toEqual([0.5, 0.75, 0.9])
    expect(parseField({ kind: 'list', nullable: false }, 'plan, error,')).toEqual(['plan', 'error'])
  })

  it('names what changes between two policies', () => {
    const after = resolvePolicy([
      {
        level: 'preset',
        label: '',
        patch: { lines: { compact: { at: 0.6 } }, window: { byModel: { 'm-1.5': 64_000 } } },
      },
    ]).policy
    expect(policyChanges(DEFAULT_POLICY, after)).toEqual([
      { path: 'lines.compact.at', label: 'Compact at', before: '50\u202f%', after: '60\u202f%' },
      { path: 'window.byModel.m-1\\.5', label: 'm-1.5', before: 'not set', after: '64\u202f000\u00a0tokens' },
    ])
  })
})
