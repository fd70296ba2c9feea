import type { createAdministratorPtBR } from './pt-br.ts'

export function createAdministratorEs() {
  return {
    role_given: {
      subject: 'Ahora administras Portaria',
      title: 'Tienes acceso a la consola de Portaria',
      lead: {
        owner: 'Recibiste la función de propietario: en la consola puedes hacer todo, también dar y quitar el acceso de otras personas.',
        support:
          'Recibiste la función de soporte: en la consola ayudas a personas y te ocupas de las compras, sin ver secretos ni dar acceso a nadie.',
        viewer: 'Recibiste la función de lectura: en la consola ves lo que ocurre, sin datos personales, y no cambias nada.',
      },
      secondFactor:
        'Para entrar, usa tu cuenta de siempre. Antes, activa la verificación en dos pasos o crea una passkey en “Tu cuenta”: quien administra protege también a los demás.',
      button: 'Abrir la consola',
      notYou: 'Si no lo esperabas, avisa a quien administra Portaria. Nada cambió en la forma de entrar en tu cuenta.',
      why: 'Recibes este correo porque un propietario de Portaria dio este acceso a tu cuenta.',
    },
    endpoint_failing: {
      subject: 'Una dirección de eventos falla desde hace un día',
      title: 'Una dirección de eventos falla desde hace un día',
      lead: 'Portaria no logra entregar eventos a uno de tus sistemas: desde hace un día nada llega allí. No se perdió ningún evento: todo se guarda durante 90 días y se puede entregar de nuevo.',
      todo: 'Mira en la consola lo que respondió el receptor y corrígelo. Si los fallos siguen, las entregas se detienen en el momento indicado arriba, y recibes otro aviso.',
      button: 'Ver la dirección',
      why: 'Recibiste este correo porque eres propietario de Portaria.',
    },
    endpoint_disabled: {
      subject: 'Una dirección de eventos fue desactivada',
      title: 'Una dirección de eventos fue desactivada',
      lead: {
        failing: 'Las entregas a uno de tus sistemas fallaron durante cinco días, y Portaria dejó de enviar.',
        gone: 'Uno de tus sistemas respondió 410, que significa que la dirección ya no existe, y Portaria dejó de enviar.',
      },
      todo: 'Corrige el receptor y envía una prueba en la consola: si llega, las entregas vuelven. Después usa “Entregar de nuevo desde…” para lo que pasó entretanto: los eventos se guardan durante 90 días.',
      button: 'Ver la dirección',
      why: 'Recibiste este correo porque eres propietario de Portaria.',
    },
  } satisfies ReturnType<typeof createAdministratorPtBR>
}
