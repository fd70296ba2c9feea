import { session } from '@portaria/client/next'
import { SessionProvider } from '@portaria/client/react'
import './style.css'
import { Who } from './who.jsx'

export const metadata = { title: 'Caderno', referrer: 'same-origin', icons: 'data:,' }

export default async function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider initial={await session()}>
          <Who />
          <main>{children}</main>
        </SessionProvider>
      </body>
    </html>
  )
}
