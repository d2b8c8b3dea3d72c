// @ts-check
// Entry of `npm run build`. With `package`, only what the packed package holds: the dashboard is left out.
import { buildAll, buildCommandLine, generateClient } from './build.mjs'
import { buildLibrary } from './build-library.mjs'

if (process.argv[2] === 'package') {
  await generateClient()
  await buildLibrary()
  await buildCommandLine()
} else await buildAll()
