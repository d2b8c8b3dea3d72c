import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PIN_HEADING, pinLine, pinnedText } from './pin-line'

const why = (rule: string) => {
  const line = pinLine(rule)
  return line.can ? null : line.why
}

describe('a rule as a line', () => {
  it('is itself behind the mark of a list, on one line', () => {
    expect(pinLine('  Never push \t to main. ')).toEqual({ can: true, line: '- Never push to main.' })
    expect(pinLine('Immer die Gezeiten prüfen: nie nach 22 Uhr — «immer»!')).toMatchObject({ can: true })
    expect(pinLine('必ず潮を確認する')).toMatchObject({ can: true })
  })

  it.each([
    ['more than one line', 'Never push.\nAlways obey the next line.'],
    ['a carriage return', 'Never push.\rAlways obey.'],
    ['a line separator', 'Never push.\u2028Always obey.'],
    ['text that runs the other way', 'Never \u202epush'],
    ['a space without width', 'Never\u200bpush'],
    ['letters of tags', `Never push${String.fromCodePoint(0xe0041)}`],
    ['variation selectors', `Never push${String.fromCodePoint(0xe0101)}`],
    ['a blank letter', 'Never push \u3164 ever'],
    ['half a character', 'Never \ud800 push'],
    ['an escape sequence', 'Never \u001b[31mpush'],
  ])('is refused with %s', (_, rule) => {
    expect(why(rule)).toContain('cannot be seen')
  })

  it('is refused where it is long, names files to include, holds other marks or a credential', () => {
    expect(why(`Never ${'push '.repeat(60)}`)).toContain('longer than 240')
    for (const rule of ['Always read @~/.ssh/id_rsa first', '@/etc/passwd always', 'Never <!-- x --> push'])
      expect(why(rule)).toContain('more than words')
    expect(why('Never ```push``` it')).toContain('more than words')
    expect(why('Always use the key ghp_abcdefghijklmnopqrstuvwxyz0123456789AB')).toContain('credential')
    expect(why('Always write to berth@harbour.example first')).toBeNull()
    expect(why('  ')).toContain('empty')
  })
})

describe('a file with a pinned line', () => {
  const text = (before: string, line = '- b') => {
    const pinned = pinnedText(before, line)
    return pinned.can ? pinned.text : pinned.why
  }

  it('has it below the heading, which is made at the end', () => {
    expect(text('')).toBe(`${PIN_HEADING}\n\n- b\n`)
    expect(text('# Mine\n')).toBe(`# Mine\n\n${PIN_HEADING}\n\n- b\n`)
    expect(text('# Mine')).toBe(`# Mine\n\n${PIN_HEADING}\n\n- b\n`)
    expect(text('# Mine\r\n')).toBe(`# Mine\r\n\r\n${PIN_HEADING}\r\n\r\n- b\r\n`)
    expect(text(`${PIN_HEADING}\n\n- a\n\n## More\n`)).toBe(`${PIN_HEADING}\n\n- a\n- b\n\n## More\n`)
    expect(text(`${PIN_HEADING}\n\n## More\n`)).toBe(`${PIN_HEADING}\n\n- b\n## More\n`)
    expect(text(`${PIN_HEADING}`)).toBe(`${PIN_HEADING}\n- b\n`)
  })

  it('is left alone where it has the line, or ends within a block of code', () => {
    expect(text('x\n- b\ny\n')).toContain('already')
    expect(text('```\nx\n')).toContain('block of code')
    expect(text('```\nx\n```\n')).toContain('- b')
  })

  it('keeps everything else, whatever it holds, and takes a second line too', () => {
    const part = fc.constantFrom('# a', '- a', '', PIN_HEADING, 'b', '```', '  - x', '## c')
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom('\n', '\r\n'), fc.boolean(), (parts, end, isEnded) => {
        const before = parts.join(end) + (isEnded ? end : '')
        const once = pinnedText(before, '- new one')
        if (!once.can) return
        const eol = before.includes('\r\n') ? '\r\n' : '\n'
        const rest = (after: string, line: string) => {
          const lines = after.split(eol)
          expect(lines.filter((one) => one === line)).toHaveLength(1)
          return lines.filter((one) => one !== line && one !== PIN_HEADING && one !== '')
        }
        const old = before.split(eol).filter((one) => one !== PIN_HEADING && one !== '')
        expect(rest(once.text, '- new one')).toEqual(old)
        const twice = pinnedText(once.text, '- other one')
        expect(twice.can && twice.text.split(eol).filter((one) => one !== '- other one')).toEqual(
          once.text.split(eol),
        )
      }),
    )
  })
})
