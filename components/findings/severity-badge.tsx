import { Badge, type Tone } from '@/components/ui/badge'
import type { Severity } from '@/lib/core/findings/finding'
import { SEVERITY_WORDS } from '@/lib/view/findings/findings-place'

const TONES: { readonly [S in Severity]: Tone } = { high: 'danger', medium: 'attention', low: 'neutral' }

/** How much a finding matters, as a word. */
export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <Badge tone={TONES[severity]} title={SEVERITY_WORDS[severity].about}>
      {severity}
    </Badge>
  )
}
