import { describe, expect, it } from 'vitest'
import { toCsv } from './csv'

describe('CSV', () => {
  it('quotes what needs it, and leaves unknown cells empty', () => {
    expect(
      toCsv(
        ['a', 'b'],
        [
          ['x,y', 1],
          ['say "hi"\nthere', null],
        ],
      ),
    ).toBe('a,b\r\n"x,y",1\r\n"say ""hi""\nthere",\r\n')
  })

  it('does not let a name run as a formula', () => {
    expect(toCsv(['n'], [['=HYPERLINK("http://x")'], ['-1+1'], ['@a'], ['+b']])).toBe(
      `n\r\n"'=HYPERLINK(""http://x"")"\r\n'-1+1\r\n'@a\r\n'+b\r\n`,
    )
    expect(toCsv(['n'], [[-5]])).toBe('n\r\n-5\r\n')
  })
})
