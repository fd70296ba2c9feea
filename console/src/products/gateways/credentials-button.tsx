import { Button } from '@mui/material'
import { useState } from 'react'
import { CredentialsDialog } from './credentials-dialog.tsx'

interface ButtonProps {
  path: string
  gateway: string
  name: string
  label: string
}

/** Takes credentials. Earlier ones are never shown: the form begins empty each time. */
export function CredentialsButton({ label, ...dialog }: ButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <CredentialsDialog {...dialog} title={label} onClose={() => setOpen(false)} />}
    </>
  )
}
