// Takes the lease that the first argument names, says whether it got it, and holds it until it is killed.
import { takeLease } from '../../adapters/files/lease'

const result = takeLease(process.argv[2] ?? '', Date.now())
process.stdout.write(result.held ? 'held\n' : `refused ${JSON.stringify(result.holder)}\n`)
if (result.held) setInterval(() => undefined, 60_000)
