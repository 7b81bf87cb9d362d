import type { StdFee } from "@cosmjs/amino";
import type { MsgExecuteContractEncodeObject, SigningCosmWasmClient } from "@cosmjs/cosmwasm";
import { fromUtf8, toBase64, toUtf8 } from "@cosmjs/encoding";
import { isDeliverTxFailure } from "@cosmjs/stargate";
import { MsgExecuteContract, MsgExecuteContractResponse } from "cosmjs-types/cosmwasm/wasm/v1/tx";
import type { ExecuteMsg, OnInvalid, SubmitVaasResponse, VaaOutcome } from "./generated/types.ts";

/** What became of submitted VAAs, and what it cost. */
export interface Submitted {
  /** One outcome a VAA, in order. */
  outcomes: VaaOutcome[];
  transactionHash: string;
  height: number;
  gasUsed: bigint;
  gasWanted: bigint;
}

/** How VAAs are submitted. */
export interface SubmitOptions {
  /** What to do about a VAA that is refused: fail the whole transaction, or pass over it; `abort` if absent. */
  onInvalid?: OnInvalid;
  /** A fee; or `auto`, the default, for that of the gas that a simulation uses times 1.4; or another factor. */
  fee?: StdFee | "auto" | number;
  memo?: string;
}

/** Returns the message that submits VAAs, for a transaction of one's own. */
export function submitVaasMessage(
  sender: string,
  contract: string,
  vaas: readonly Uint8Array[],
  onInvalid?: OnInvalid,
): MsgExecuteContractEncodeObject {
  const msg: ExecuteMsg = { submit_vaas: { vaas: vaas.map((vaa) => toBase64(vaa)), on_invalid: onInvalid } };
  return {
    typeUrl: "/cosmwasm.wasm.v1.MsgExecuteContract",
    value: MsgExecuteContract.fromPartial({ sender, contract, msg: toUtf8(JSON.stringify(msg)) }),
  };
}

/**
 * Submits VAAs in one transaction, waits for its block, and returns the outcome of each. The generated client's
 * `submitVaas` does the same but for the outcomes: CosmJS keeps the data that the contract answers to itself.
 *
 * @throws if the transaction is refused or fails; `errorCode` tells why, if it is the registry that refuses
 */
export async function submitVaas(
  client: SigningCosmWasmClient,
  sender: string,
  contract: string,
  vaas: readonly Uint8Array[],
  options: SubmitOptions = {},
): Promise<Submitted> {
  const message = submitVaasMessage(sender, contract, vaas, options.onInvalid);
  const answer = await client.signAndBroadcast(sender, [message], options.fee ?? "auto", options.memo);
  if (isDeliverTxFailure(answer)) {
    throw new Error(`transaction ${answer.transactionHash} failed at height ${answer.height}: ${answer.rawLog}`);
  }
  const response = answer.msgResponses[0];
  if (response === undefined) throw new Error(`transaction ${answer.transactionHash} has no answer of the contract`);
  const { data } = MsgExecuteContractResponse.decode(response.value);
  const { outcomes } = JSON.parse(fromUtf8(data)) as SubmitVaasResponse;
  const { transactionHash, height, gasUsed, gasWanted } = answer;
  return { outcomes, transactionHash, height, gasUsed, gasWanted };
}
