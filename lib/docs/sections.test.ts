import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOTS = ['app', 'components', 'lib']
const LINK = /lib\/docs\/([a-z-]+)\.md#([a-z-]+)((?:,? (?:and )?#[a-z-]+)*)/g

function sources(): string[] {
  return ROOTS.flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, name)),
  )
}

function sectionsOf(file: string): Set<string> {
  const headings = readFileSync(join('lib/docs', `${file}.md`), 'utf8').matchAll(/^## (.+)$/gm)
  return new Set([...headings].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-')))
}

describe('the papers of the project', () => {
  it('have every section that a comment leads to', () => {
    const missing: string[] = []
    let links = 0
    for (const source of sources()) {
      for (const [, file = '', first = '', more = ''] of readFileSync(source, 'utf8').matchAll(LINK)) {
        const sections = sectionsOf(file)
        for (const name of `${first}${more}`.match(/[a-z-]{3,}/g) ?? []) {
          links += 1
          if (name !== 'and' && !sections.has(name)) missing.push(`${source}: ${file}.md#${name}`)
        }
      }
    }
    expect(missing).toEqual([])
    expect(links).toBeGreaterThan(50)
  })
})
