//! The contract on a test chain, and short ways to call it.

use cosmwasm_std::{Addr, BankMsg, CosmosMsg, Decimal, Timestamp, Uint64, coins, from_json};
use cw_multi_test::{App, AppResponse, ContractWrapper, Executor};
use group::{
    contract,
    msg::{
        CreateGroupResponse, CreatePolicyResponse, DecisionPolicy, ExecuteMsg, GroupQueryResponse,
        GroupResponse, InstantiateMsg, MemberUpdate, PolicyQueryResponse, PolicyResponse,
        ProposalQueryResponse, ProposalResponse, QueryMsg, SubmitProposalResponse, TallyResult,
        VoteOption, Windows,
    },
};
use serde::de::DeserializeOwned;

/// The time at which suites start, in Unix seconds.
pub const START: u64 = 1_800_000_000;
/// How long members can vote in the tests.
pub const VOTING: u32 = 1_000;
/// How long after that a proposal can be executed in the tests.
pub const EXECUTION: u32 = 5_000;

pub struct Suite {
    pub app: App,
    pub contract: Addr,
    pub account_code: u64,
}

pub fn app() -> App {
    let mut app = App::default();
    app.update_block(|block| block.time = Timestamp::from_seconds(START));
    app
}

impl Suite {
    pub fn new() -> Self {
        let mut app = app();
        let account_code = app.store_code(Box::new(ContractWrapper::new(
            group_account::contract::execute,
            group_account::contract::instantiate,
            group_account::contract::query,
        )));
        Self::of(app, account_code)
    }

    pub fn of(mut app: App, account_code: u64) -> Self {
        let code = app.store_code(Box::new(
            ContractWrapper::new(contract::execute, contract::instantiate, contract::query)
                .with_reply(contract::reply)
                .with_migrate(contract::migrate),
        ));
        let owner = app.api().addr_make("owner");
        let msg = InstantiateMsg {
            account_code_id: Uint64::new(account_code),
            max_execution_period: Some(EXECUTION),
        };
        let contract = app
            .instantiate_contract(code, owner.clone(), &msg, &[], "group", Some(owner.into()))
            .unwrap();
        Self {
            app,
            contract,
            account_code,
        }
    }

    /// The address of a name.
    pub fn addr(&self, name: &str) -> Addr {
        self.app.api().addr_make(name)
    }

    pub fn wait(&mut self, seconds: u64) {
        self.app.update_block(|block| {
            block.height += 1;
            block.time = block.time.plus_seconds(seconds);
        });
    }

    pub fn execute(&mut self, name: &str, msg: &ExecuteMsg) -> Result<AppResponse, String> {
        let sender = self.addr(name);
        self.app
            .execute_contract(sender, self.contract.clone(), msg, &[])
            .map_err(|error| format!("{error:?}"))
    }

    pub fn run(&mut self, name: &str, msg: &ExecuteMsg) -> AppResponse {
        self.execute(name, msg).unwrap()
    }

    /// Executes a message and returns its answer.
    pub fn answer<T: DeserializeOwned>(&mut self, name: &str, msg: &ExecuteMsg) -> T {
        from_json(self.run(name, msg).data.unwrap()).unwrap()
    }

    /// Executes a message that must fail with this code and change nothing.
    pub fn refused(&mut self, name: &str, msg: &ExecuteMsg, code: &str) {
        let before = self.dump();
        let error = self.execute(name, msg).expect_err(code);
        assert!(error.contains(&format!("[{code}]")), "{error}");
        assert_eq!(self.dump(), before);
    }

    pub fn query<T: DeserializeOwned>(&self, msg: &QueryMsg) -> Result<T, String> {
        self.app
            .wrap()
            .query_wasm_smart(&self.contract, msg)
            .map_err(|error| error.to_string())
    }

    pub fn ask<T: DeserializeOwned>(&self, msg: &QueryMsg) -> T {
        self.query(msg).unwrap()
    }

    /// All that the contract stores.
    pub fn dump(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.app.dump_wasm_raw(&self.contract)
    }

    pub fn member(&self, name: &str, weight: &str) -> MemberUpdate {
        MemberUpdate {
            address: self.addr(name).into(),
            weight: dec(weight),
            metadata: format!("this is {name}"),
        }
    }

    pub fn members(&self, members: &[(&str, &str)]) -> Vec<MemberUpdate> {
        members
            .iter()
            .map(|(name, weight)| self.member(name, weight))
            .collect()
    }

    /// A group of the admin `admin`.
    pub fn create_group(&mut self, members: &[(&str, &str)]) -> Uint64 {
        let msg = ExecuteMsg::CreateGroup {
            members: self.members(members),
            metadata: "a group".into(),
        };
        self.answer::<CreateGroupResponse>("admin", &msg).group_id
    }

    /// A policy of the admin `admin`.
    pub fn create_policy(
        &mut self,
        group_id: Uint64,
        decision: DecisionPolicy,
    ) -> CreatePolicyResponse {
        let msg = ExecuteMsg::CreatePolicy {
            group_id,
            metadata: "a policy".into(),
            decision,
        };
        self.answer("admin", &msg)
    }

    /// A proposal by this member.
    pub fn submit(&mut self, name: &str, policy_id: Uint64, messages: Vec<CosmosMsg>) -> Uint64 {
        let msg = submit(policy_id, messages, None);
        self.answer::<SubmitProposalResponse>(name, &msg)
            .proposal_id
    }

    pub fn vote(&mut self, name: &str, proposal_id: Uint64, option: VoteOption) {
        self.run(name, &vote(proposal_id, option, None));
    }

    pub fn group(&self, group_id: Uint64) -> GroupResponse {
        let answer: GroupQueryResponse = self.ask(&QueryMsg::Group { group_id });
        answer.group.unwrap()
    }

    pub fn policy(&self, policy_id: Uint64) -> PolicyResponse {
        let answer: PolicyQueryResponse = self.ask(&QueryMsg::Policy { policy_id });
        answer.policy.unwrap()
    }

    pub fn proposal(&self, proposal_id: Uint64) -> Option<ProposalResponse> {
        let answer: ProposalQueryResponse = self.ask(&QueryMsg::Proposal { proposal_id });
        answer.proposal
    }

    pub fn tally(&self, proposal_id: Uint64) -> TallyResult {
        self.ask(&QueryMsg::Tally { proposal_id })
    }

    /// Gives an account coins.
    pub fn fund(&mut self, account: &str, amount: u128) {
        let account = Addr::unchecked(account);
        self.app.init_modules(|router, _, storage| {
            router
                .bank
                .init_balance(storage, &account, coins(amount, "coin"))
                .unwrap();
        });
    }

    pub fn balance(&self, name: &str) -> u128 {
        let balance = self.app.wrap().query_balance(self.addr(name), "coin");
        balance.unwrap().amount.to_string().parse().unwrap()
    }

    /// A message that pays coins.
    pub fn pay(&self, name: &str, amount: u128) -> CosmosMsg {
        BankMsg::Send {
            to_address: self.addr(name).into(),
            amount: coins(amount, "coin"),
        }
        .into()
    }

    /// Three members of the weights 3, 2 and 1, and a policy of this threshold whose account has 100 coins.
    pub fn with_threshold(&mut self, threshold: &str) -> (Uint64, CreatePolicyResponse) {
        let group = self.create_group(&[("ann", "3"), ("bob", "2"), ("cem", "1")]);
        let policy = self.create_policy(group, threshold_of(threshold));
        self.fund(&policy.account, 100);
        (group, policy)
    }
}

pub fn dec(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub const WINDOWS: Windows = Windows {
    voting_period: VOTING,
    min_execution_period: 0,
};

pub fn threshold_of(threshold: &str) -> DecisionPolicy {
    DecisionPolicy::Threshold {
        threshold: dec(threshold),
        windows: WINDOWS,
    }
}

pub fn percentage_of(percentage: &str) -> DecisionPolicy {
    DecisionPolicy::Percentage {
        percentage: dec(percentage),
        windows: WINDOWS,
    }
}

pub fn submit(policy_id: Uint64, messages: Vec<CosmosMsg>, exec: Option<bool>) -> ExecuteMsg {
    ExecuteMsg::SubmitProposal {
        policy_id,
        messages,
        metadata: "a proposal".into(),
        exec,
    }
}

pub fn vote(proposal_id: Uint64, option: VoteOption, exec: Option<bool>) -> ExecuteMsg {
    ExecuteMsg::Vote {
        proposal_id,
        option,
        metadata: String::new(),
        exec,
    }
}

pub fn exec(proposal_id: Uint64) -> ExecuteMsg {
    ExecuteMsg::Exec { proposal_id }
}

/// The values of an attribute of the contract's own events of a type.
pub fn attributes(response: &AppResponse, kind: &str, key: &str) -> Vec<String> {
    response
        .events
        .iter()
        .filter(|event| event.ty == format!("wasm-{kind}"))
        .flat_map(|event| &event.attributes)
        .filter(|attribute| attribute.key == key)
        .map(|attribute| attribute.value.clone())
        .collect()
}
