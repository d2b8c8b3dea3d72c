import { describe, expect, it } from 'vitest'
import { CHANGES, commandSigns, ODD_SPACE, PIPE, QUOTE } from './command-signs'

describe('what is in a command line', () => {
  it.each([
    ['', 0],
    ['cat -n a.ts', 0],
    ['a > b', CHANGES],
    ['a; b', CHANGES],
    ['a & b', CHANGES],
    ['a\nb', CHANGES],
    ['a `b`', CHANGES],
    ['a $(b)', CHANGES],
    ['a $b', 0],
    ['a (b)', 0],
    ['a $ (b)', 0],
    ['ls | xargs rm', CHANGES | PIPE],
    ['a | tee b', CHANGES | PIPE],
    ['find . -exec a', CHANGES],
    ['find . -delete', CHANGES],
    ['cat steer.ts', 0],
    ['cat xargsy.ts', 0],
    ['a | b', PIPE],
    ['a "b"', QUOTE],
    [`a 'b'`, QUOTE],
    ['a  b', ODD_SPACE],
    ['a\tb', ODD_SPACE],
    ['a\vb', ODD_SPACE],
    ['a\fb', ODD_SPACE],
    ['a\rb', ODD_SPACE],
    ['a\u00a0b', ODD_SPACE],
    ['cat Größe.ts', ODD_SPACE],
    ['a\u007fb', 0],
    ['a  "b" | c > d', ODD_SPACE | QUOTE | PIPE | CHANGES],
  ])('%j', (command, signs) => expect(commandSigns(command)).toBe(signs))
})
