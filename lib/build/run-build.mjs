// @ts-check
// Entry of `npm run build`.
import { buildAll } from './build.mjs'

await buildAll({ keepSteps: true })
