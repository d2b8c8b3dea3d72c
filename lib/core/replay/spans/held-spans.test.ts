import { describe, expect, it } from 'vitest'
import { HoldingText } from './held-spans'

const always = () => true
const never = () => false

describe('what a summary holds', () => {
  const text = new HoldingText(
    'Edit ./src/deep/file.ts and other.ts at commit C0FFEE12. Port 8080 is taken; see "tab 4: open".\n' +
      '- Never publish the package without integration tests on staging.',
    '/w/project',
  )

  it('is what it says word for word, from wherever a path is named', () => {
    expect(text.holds({ kind: 'path', text: 'src/deep/file.ts' }, never)).toBe(true)
    expect(text.holds({ kind: 'hex', text: 'c0ffee12' }, never)).toBe(true)
    expect(text.holds({ kind: 'quoted', text: 'tab 4: open' }, never)).toBe(true)
    expect(text.holds({ kind: 'path', text: 'src/deep' }, never)).toBe(false)
    expect(text.holds({ kind: 'identifier', text: 'fileOther' }, always)).toBe(false)
  })

  it('is a path by its last part only where that is one path’s alone', () => {
    expect(text.holds({ kind: 'path', text: 'lib/some/other.ts' }, always)).toBe(true)
    expect(text.holds({ kind: 'path', text: 'lib/some/other.ts' }, never)).toBe(false)
  })

  it('is a short number with the word on its left', () => {
    expect(text.holds({ kind: 'number', text: 'Port 8080' }, never)).toBe(true)
    expect(text.holds({ kind: 'number', text: 'room 8080' }, never)).toBe(false)
  })

  it('is a rule by its rare words', () => {
    const rule = 'Never publish a package without running integration tests on staging'
    expect(text.holds({ kind: 'rule', text: rule }, never)).toBe(true)
    expect(text.holds({ kind: 'rule', text: 'Always rename the lock file before a release' }, never)).toBe(
      false,
    )
  })
})
