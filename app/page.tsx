import { Card } from '@/components/ui/card'

export default function OverviewPage() {
  return (
    <Card title="Nearest to the line">
      <p className="text-muted">No session has been read yet.</p>
    </Card>
  )
}
