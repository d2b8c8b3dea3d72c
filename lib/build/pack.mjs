// @ts-check
// Entry of `npm pack`: builds what the package holds, the dashboard with all that it needs among it.
import { ensureDependencies } from './dependencies.mjs'

await ensureDependencies()
const { buildAll } = await import('./build.mjs')
await buildAll()
const { packDashboard } = await import('./pack-dashboard.mjs')
await packDashboard()
