import { describe, expect, it } from 'vitest'
import { renderTable } from './table'
import { cutToWidth, terminalWidth, toSafeJson, toTerminal } from './terminal-text'

describe('X20 hostile text on a terminal', () => {
  it.each([
    ['\u001b[2J\u001b]0;pwned\u0007', '\\u{1b}[2J\\u{1b}]0;pwned\\u{7}'],
    ['\u009b31m', '\\u{9b}31m'],
    ['a\u202egnp.exe\u202c', 'a\\u{202e}gnp.exe\\u{202c}'],
    ['x\u200by\u2066z', 'x\\u{200b}y\\u{2066}z'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ud800', '\\u{d800}'],
    ['one\r\ntwo\tthree', 'one two three'],
  ])('writes %j out', (text, shown) => {
    expect(toTerminal(text)).toBe(shown)
  })

  it('leaves readable text of any script alone', () => {
    const text = 'Größe 港 مرحبا שלום é <b>bold</b>'
    expect(toTerminal(text)).toBe(text)
  })

  it('keeps JSON the same value without one dangerous character', () => {
    const value = { text: '\u001b[2J\u009b1m\u202e\u2028\u{e0041}\u007f', list: [1, '港'] }
    const json = toSafeJson(value)
    expect(JSON.parse(json)).toEqual(value)
    expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })
})

describe('tables', () => {
  it('lines columns up by what they take on screen', () => {
    expect(terminalWidth('港a\u0301')).toBe(3)
    const rows = [
      { name: '港 harbour', calls: 7 },
      { name: 'x\u001b[31m', calls: 1204 },
    ]
    const table = renderTable(rows, [
      { title: 'NAME', cell: (row) => row.name, max: 12 },
      { title: 'CALLS', cell: (row) => String(row.calls), align: 'right' },
    ])
    expect(table).toBe(['NAME         CALLS', '港 harbour       7', 'x\\u{1b}[31m   1204', ''].join('\n'))
  })

  it.each([
    ['⚠ ✔ ❤ © ↔', 9],
    ['⚠️', 2],
    ['1️⃣', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['𠀀', 2],
    ['ไทยที่', 4],
  ])('counts %j as a terminal does', (text, columns) => {
    expect(terminalWidth(text)).toBe(columns)
  })

  it('never cuts inside a character', () => {
    expect(cutToWidth('𠀀𠀀𠀀', 5)).toBe('𠀀𠀀…')
    expect(cutToWidth('a👍🏽👍🏽', 4)).toBe('a👍🏽…')
    expect(cutToWidth('a\u0301bcd', 3)).toBe('a\u0301b…')
  })

  it('says where a text was cut', () => {
    expect(cutToWidth('harbour master', 8)).toBe('harbour…')
    expect(cutToWidth('harbour', 8)).toBe('harbour')
  })
})
