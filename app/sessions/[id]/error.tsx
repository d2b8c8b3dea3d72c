'use client'

import { PageFault, type PageFaultProps } from '@/components/shell/page-fault'
import { Card } from '@/components/ui/card'

export default function SessionError(props: PageFaultProps) {
  return (
    <Card title="Session">
      <PageFault title="This session could not be shown" {...props} />
    </Card>
  )
}
