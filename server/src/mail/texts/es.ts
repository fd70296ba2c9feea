import { createAdministratorEs } from './administrators/es.ts'
import { createMailboxEs } from './mailbox/es.ts'
import type { Texts } from './pt-br.ts'
import { createSecurityEs } from './security/es.ts'

export function createEs(service: string) {
  return {
    greeting: (name: string) => `Hola, ${name}:`,
    greetingUnnamed: 'Hola:',
    linkAsText: 'Si el botón no se abre, copia esta dirección en el navegador:',
    neverAsked: `Nadie de ${service}, ni de soporte, te pedirá tus códigos ni tu contraseña. No se los des a nadie.`,
    automatic: 'Mensaje automático: las respuestas no se leen.',
    answerable: '¿Dudas? Responde a este correo.',
    timeZone: (offset: string) => `hora de Brasilia, ${offset}`,
    facts: {
      when: 'Cuándo',
      device: 'Dispositivo',
      ip: 'Dirección IP',
      newAddress: 'Nuevo correo',
      codesLeft: 'Códigos restantes',
      until: 'Hasta',
      reason: 'Motivo',
      endpoint: 'Dirección',
      product: 'Producto',
      since: 'Desde',
      lastAnswer: 'Última respuesta',
      disablesAt: 'Se desactivará',
    },
    ...createMailboxEs(service),
    ...createSecurityEs(service),
    deletion_requested: {
      subject: 'Tu cuenta se eliminará',
      title: 'Tu cuenta se eliminará',
      lead: 'Recibimos la solicitud de eliminar tu cuenta. Está cerrada, y ya nadie entra en ella.',
      due: (when: string) => `Tus datos personales se borrarán el ${when}.`,
      changedMind: '¿Cambiaste de idea? Hasta entonces no se borra nada:',
      button: 'Conservar la cuenta',
      validity: (time: string) => `El botón es válido por ${time}.`,
      notYou: 'Si no fuiste tú quien lo pidió, deshaz la eliminación ahora, entra y cambia la contraseña.',
      why: 'Recibiste este correo porque alguien que entró en tu cuenta pidió que se eliminara.',
    },
    account_deleted: {
      subject: 'Tu cuenta se eliminó',
      title: 'Tu cuenta se eliminó',
      lead: 'El plazo para volver atrás terminó, y tus datos personales se borraron, como se pidió.',
      kept: 'De tus compras quedan solo los números, sin tu nombre y sin tu correo. Si alguna suscripción sigue activa, cancélala con quien la vendió.',
      last: 'Este es nuestro último correo: después de él, tampoco guardamos tu dirección.',
      why: 'Recibiste este correo porque se pidió eliminar la cuenta que tenía tu dirección.',
    },
    ...createAdministratorEs(),
    identity_linked: {
      subject: 'Nueva forma de entrar en tu cuenta',
      title: 'Nueva forma de entrar en tu cuenta',
      lead: (provider: string) =>
        `Ahora también entras en tu cuenta con ${provider}. Si fuiste tú quien vinculó las dos cuentas, no tienes que hacer nada.`,
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, protege la cuenta ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    identity_unlinked: {
      subject: 'Una forma de entrar salió de tu cuenta',
      title: 'Una forma de entrar salió de tu cuenta',
      lead: (provider: string) =>
        `La entrada con ${provider} se desvinculó de tu cuenta, y se cerró la sesión en los navegadores que entraron con la cuenta de otro servicio, menos en el que la desvinculó. Si ${provider} te da tu dirección de correo, entrar por ahí la vincula de nuevo. Si fuiste tú quien la desvinculó, no tienes que hacer nada.`,
      button: 'No fui yo: proteger la cuenta',
      notYou: 'Si no fuiste tú, alguien puede estar dentro de tu cuenta. Protégela ahora.',
      why: 'Recibiste este correo porque avisamos cuando cambia la forma de entrar en tu cuenta.',
    },
    account_claimed: {
      subject: 'Tu cuenta ahora es solo tuya',
      title: 'Tu cuenta ahora es solo tuya',
      lead: (provider: string) =>
        `Ya existía una cuenta con tu correo, pero quien la creó nunca confirmó la dirección. Entraste con ${provider}, que confirmó que es tuya, y la cuenta pasó a ti.`,
      removed: 'Por tu seguridad borramos lo que la otra persona había dejado: contraseña, sesiones abiertas, CPF o CNPJ y teléfono.',
      nextTime: (provider: string) => `No tienes que hacer nada. Para entrar, usa ${provider}.`,
      why: 'Recibiste este correo porque la cuenta con tu dirección pasó a ser tuya.',
    },
  } satisfies Texts
}
