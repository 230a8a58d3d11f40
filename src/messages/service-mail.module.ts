import { Module } from '@nestjs/common';
import { ServiceMailer } from './channels/service-mailer.js';

/** E-mails of the service itself, for the modules of the API. */
@Module({ providers: [ServiceMailer], exports: [ServiceMailer] })
export class ServiceMailModule {}
