//! Execution: a proposal is tallied, decided and, where it is accepted, its messages run under the account of its policy.

use cosmwasm_std::{
    Order, Reply, Response, Storage, SubMsg, SubMsgResult, WasmMsg, to_json_binary,
};

use crate::{
    error::ContractError,
    events::about,
    msg::{ExecResponse, ExecutorResult, ProposalStatus},
    state::{Config, Content, Group, Policy, Progress, Proposal, Status, Submission, Vote},
    tally::{Verdict, decide, tally},
};

pub(super) fn exec(
    storage: &mut dyn Storage,
    now: u64,
    id: u64,
) -> Result<Response, ContractError> {
    let mut case = Case::open(storage, now, id)?;
    let decided = case.decide(storage)?;
    match case.status {
        ProposalStatus::Submitted => {
            return Err(ContractError::Undecided {
                id,
                end: case.submission.voting_period_end,
            });
        }
        // A rejection that this very call wrote is its answer; one from before is the reason why there is none.
        ProposalStatus::Rejected if decided => {}
        ProposalStatus::Accepted => {}
        status => return Err(ContractError::WrongStatus { id, status }),
    }
    let run = match case.run(storage) {
        // Too early to run, but decided now, which is kept.
        Err(ContractError::TooEarly { .. }) if decided => None,
        run => run?,
    };
    let answer = ExecResponse {
        status: case.status,
        tally: case.progress.final_tally,
        executed: run.is_some(),
    };
    let response = case.respond(Response::new(), decided, run);
    Ok(response.set_data(to_json_binary(&answer)?))
}

/// Executes a proposal if it can be, after a vote; otherwise adds nothing to the response.
pub(super) fn attempt(
    storage: &mut dyn Storage,
    now: u64,
    id: u64,
    response: Response,
) -> Result<Response, ContractError> {
    let mut case = Case::open(storage, now, id)?;
    let decided = case.decide(storage)?;
    let run = match case.run(storage) {
        Err(ContractError::TooEarly { .. }) => None,
        run => run?,
    };
    Ok(case.respond(response, decided, run))
}

/// Notes what came of a proposal's messages: after a success it is deleted, after a failure it can be tried again.
pub(crate) fn executed(storage: &mut dyn Storage, reply: Reply) -> Result<Response, ContractError> {
    let id = reply.id;
    let event = about("proposal_executed", "proposal_id", id);
    let event = match reply.result {
        SubMsgResult::Ok(_) => {
            Proposal::TABLE.delete(storage, &id)?;
            event.add_attribute("result", "success")
        }
        SubMsgResult::Err(reason) => {
            Proposal::TABLE
                .family::<Progress>()
                .modify(storage, &id, |progress| {
                    Ok::<_, ContractError>(Progress {
                        executor_result: ExecutorResult::Failure,
                        ..progress
                    })
                })?;
            event
                .add_attribute("result", "failure")
                .add_attribute("reason", reason)
        }
    };
    Ok(Response::new().add_event(event))
}

/// Deletes votes on a proposal, `limit` at most, and returns how many they were.
pub(super) fn delete_votes(
    storage: &mut dyn Storage,
    proposal_id: u64,
    limit: usize,
) -> Result<usize, ContractError> {
    let votes = Vote::TABLE.prefix(&(proposal_id,))?;
    let ids = votes
        .ids(storage, Order::Ascending)
        .limit(limit)
        .read_all()?;
    for id in &ids {
        Vote::TABLE.delete(storage, id)?;
    }
    Ok(ids.len())
}

/// A proposal to be executed, with what that depends on.
struct Case {
    id: u64,
    now: u64,
    submission: Submission,
    progress: Progress,
    policy: Policy,
    status: ProposalStatus,
}

/// What runs a proposal: a message to the account, or nothing if the proposal has no messages.
type Run = Option<SubMsg>;

impl Case {
    fn open(storage: &dyn Storage, now: u64, id: u64) -> Result<Self, ContractError> {
        let (submission, progress) = Proposal::load(storage, id)?;
        let policy = Policy::load(storage, submission.policy_id)?;
        let max_execution_period = Config::load(storage)?.max_execution_period;
        let end = submission.execution_period_end(max_execution_period);
        if now > end {
            return Err(ContractError::Expired { id, end });
        }
        Ok(Self {
            status: progress.status(&submission, &policy),
            id,
            now,
            submission,
            progress,
            policy,
        })
    }

    /// Tallies an open proposal and, if that decides it, stores the decision and deletes the votes. Says whether.
    fn decide(&mut self, storage: &mut dyn Storage) -> Result<bool, ContractError> {
        if self.status != ProposalStatus::Submitted {
            return Ok(false);
        }
        let group = Group::load(storage, self.policy.group_id)?;
        let tally = tally(storage, group.id, self.id)?;
        let verdict = decide(&self.policy.decision, &tally, group.total_weight)?;
        let ended = self.now > self.submission.voting_period_end;
        (self.progress.status, self.status) = match verdict {
            Verdict::Accepted => (Status::Accepted, ProposalStatus::Accepted),
            Verdict::Rejected => (Status::Rejected, ProposalStatus::Rejected),
            Verdict::Open if ended => (Status::Rejected, ProposalStatus::Rejected),
            Verdict::Open => return Ok(false),
        };
        self.progress.final_tally = tally;
        delete_votes(storage, self.id, usize::MAX)?;
        self.store(storage)?;
        Ok(true)
    }

    /// Runs an accepted proposal; nothing for any other.
    fn run(&mut self, storage: &mut dyn Storage) -> Result<Option<Run>, ContractError> {
        let id = self.id;
        if self.status != ProposalStatus::Accepted {
            return Ok(None);
        }
        if self.progress.executor_result == ExecutorResult::Running {
            return Err(ContractError::Running { id });
        }
        let wait = self.policy.decision.windows().min_execution_period;
        let from = self.submission.submitted_at.saturating_add(wait.into());
        if self.now < from {
            return Err(ContractError::TooEarly { id, from });
        }
        let content = Proposal::TABLE.family::<Content>().get_one(storage, &id)?;
        let messages = content.cosmos_msgs()?;
        if messages.is_empty() {
            Proposal::TABLE.delete(storage, &id)?;
            return Ok(Some(None));
        }
        // Its own messages may come back to it: they find it running.
        self.progress.executor_result = ExecutorResult::Running;
        self.store(storage)?;
        let run = group_account::msg::ExecuteMsg::Run { messages };
        let msg = WasmMsg::Execute {
            contract_addr: self.policy.account.clone().into(),
            msg: to_json_binary(&run)?,
            funds: vec![],
        };
        Ok(Some(Some(SubMsg::reply_always(msg, id))))
    }

    fn store(&self, storage: &mut dyn Storage) -> Result<(), ContractError> {
        Proposal::TABLE
            .family::<Progress>()
            .update(storage, &self.id, self.progress.clone())?;
        Ok(())
    }

    fn respond(&self, mut response: Response, decided: bool, run: Option<Run>) -> Response {
        if decided {
            response = response.add_event(
                about("proposal_decided", "proposal_id", self.id)
                    .add_attribute("status", self.status.as_str()),
            );
        }
        match run {
            None => response,
            Some(Some(message)) => response.add_submessage(message),
            Some(None) => response.add_event(
                about("proposal_executed", "proposal_id", self.id)
                    .add_attribute("result", "success"),
            ),
        }
    }
}
