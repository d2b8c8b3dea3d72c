// @ts-check
// The package's library: what `import … from 'plimsoll'`, `plimsoll/core` and `plimsoll/knowledge` answer with, and its
// types.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runTool } from './project.mjs'

/**
 * Builds the library into a folder. Packages that it uses stay where npm puts them, so that an agent that uses them as
 * well has them once.
 * @param {string} folder absolute path
 */
export async function buildLibrary(folder) {
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: {
      index: 'lib/public/index.ts',
      core: 'lib/public/core.ts',
      knowledge: 'lib/public/knowledge.ts',
    },
    outdir: folder,
    bundle: true,
    // The entries share their classes.
    splitting: true,
    chunkNames: 'part-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  const types = join(folder, 'types')
  const code = await runTool('typescript/bin/tsc', ['-p', 'lib/public/tsconfig.json', '--outDir', types])
  if (code !== 0) throw new Error(`tsc failed with exit code ${code}; its messages are above`)
  nameFiles(types)
}

/**
 * Writes file endings into the imports of declarations: outside of bundlers, modules are found by their whole names.
 * @param {string} folder
 */
function nameFiles(folder) {
  for (const item of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, item.name)
    if (item.isDirectory()) nameFiles(path)
    else {
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace(/(\bfrom |\bimport\()(['"])(\.\.?\/[^'"]+)\2/g, '$1$2$3.js$2'))
    }
  }
}
