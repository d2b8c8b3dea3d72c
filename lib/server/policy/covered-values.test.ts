import { describe, expect, it } from 'vitest'
import { parseSource } from '../../core/policy/source-tree'
import { random } from '../../testing/hostile/random-text'
import { hasStandIns } from '../../view/policy/covered-text'
import { CoveredValues } from './covered-values'

const FILE = '/home/me/.openclaw/openclaw.json'

function json(token: string, key: string): string {
  return `{
  // by hand
  "gateway": { "auth": { "token": "${token}" } },
  "env": { "vars": { "OPENAI_API_KEY": '${key}' } },
  "again": { "token": "${token}", "port": 18789 }
}
`
}

describe('X8, X20 credentials of configuration files', () => {
  const [token, key] = [random.base62(24), random.hex(32)]

  it('are not in what a page gets, and come back where it changed the rest', () => {
    const values = new CoveredValues()
    const shown = values.cover(FILE, json(token, key))
    expect(shown).not.toContain(token)
    expect(shown).not.toContain(key)
    expect(parseSource(shown, FILE).problems).toEqual([])
    expect(shown.split('\n')).toHaveLength(json(token, key).split('\n').length)
    const edited = shown.replace('18789', '18790').replace('// by hand', '// by a hand')
    expect(values.uncover(FILE, edited)).toBe(
      json(token, key).replace('18789', '18790').replace('// by hand', '// by a hand'),
    )
    expect(values.cover(FILE, shown)).toBe(shown)
  })

  it('the same value has the same stand-in in every version, another has another', () => {
    const values = new CoveredValues()
    const [now, then] = [json(token, key), json(token, random.hex(32))].map((text) =>
      values.cover(FILE, text),
    )
    const lines = (text = '') => text.split('\n')
    expect(lines(now)[2]).toBe(lines(then)[2])
    expect(lines(now)[3]).not.toBe(lines(then)[3])
  })

  it('YAML with a private key of several lines is still YAML, and comes back byte for byte', () => {
    const lines = Array.from({ length: 3 }, () => `    ${random.base64(64)}`)
    const [begin, end] = ['BEGIN', 'END'].map((word) => `    -----${word} RSA PRIVATE KEY-----`)
    const text = [
      'ssh:',
      '  privateKey: |',
      begin,
      ...lines,
      end,
      `  password: ${random.password()}`,
      '',
    ].join('\n')
    const values = new CoveredValues()
    const shown = values.cover('/x/context-config.yaml', text)
    for (const line of lines) expect(shown).not.toContain(line.trim())
    expect(parseSource(shown, 'context-config.yaml').problems).toEqual([])
    expect(values.uncover('/x/context-config.yaml', shown)).toBe(text)
  })

  it('are shown for a text that is asked for, of that file only', () => {
    const values = new CoveredValues()
    const shown = values.cover(FILE, json(token, key))
    expect(Object.values(values.reveal(FILE, shown)).sort()).toEqual([token, key].sort())
    expect(values.reveal('/elsewhere.json', shown)).toEqual({})
  })

  it('a stand-in that is not known is not saved: the lines are named', () => {
    const shown = new CoveredValues().cover(FILE, json(token, key))
    expect(() => new CoveredValues().uncover(FILE, shown)).toThrow(/on line 3, 4, 5 are not known any more/)
  })

  it('of a text that a page sends, what it wrote itself stays', () => {
    const values = new CoveredValues()
    values.cover(FILE, json(token, key))
    const written = random.hex(32)
    const mine = values.coverKnown(FILE, json(token, written))
    expect(mine).not.toContain(token)
    expect(mine).toContain(written)
    expect(hasStandIns(values.coverIn(FILE, `"${token}" is not allowed here`))).toBe(true)
  })
})
